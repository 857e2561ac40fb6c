//! The manifest: who plays, what is declared, the order of play.

use super::attributes::{AttributesFile, Scalar, VisibleWord, attributes, keep, visibility};
use super::field::{self, FieldFile, Names};
use super::phrase::{self, PhraseSort, Vocabulary, WordsFile};
use super::reader::{At, Entries, Must, Reader, record, words};
use super::sides::{self, SidesFile};
use crate::content::causes::VALUE;
use crate::content::definition::*;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::setting;
use crate::content::tree::{Datum, Node};
use crate::limits::{self, ROUND_LIMIT};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

record! {
    /// The manifest of a game.
    pub struct GameFile("the manifest") {
        /// The version of the game, such as 1.0.0.
        version: Must<At<String>>,
        /// What it is called.
        title: Must<Text>,
        /// What it is, in a sentence.
        summary: Must<Text>,
        /// The fewest and the most players.
        players: Must<At<(u8, u8)>>,
        /// The map, maps/<game>/<map>.toml; leave out for a game without one.
        map: Option<At<String>>,
        /// Where the turn goes; left if left out.
        direction: Option<TurnDirection>,
        /// The game ends after this round; 1000 if left out.
        round_limit: Option<At<u32>>,
        /// Who plays with whom, in a game of partners, of one against many, or of all together.
        sides: Option<SidesFile>,
        /// Whether a player may leave a match that is under way; `left(p)` in the scripts says what happens then.
        leave: Option<bool>,
        /// What the numbers of the score are called, in their order.
        score: Option<Vec<Text>>,
        /// What the game, players, spaces and pieces remember.
        attributes: Option<AttributesFile>,
        /// Where pieces are.
        zones: Option<Entries<ZoneFile>>,
        /// Kinds of cards and pieces.
        kinds: Option<Entries<KindFile>>,
        /// What cards may do: words, each with its parameters in order; a script function of that name does it.
        effects: Option<WordsFile>,
        /// What may have to be so, likewise.
        conditions: Option<WordsFile>,
        /// The dice of the game; one with faces 1 to 6, d6, if left out.
        dice: Option<Entries<DieFile>>,
        /// Numbers a variant may change; constants in capitals in scripts.
        parameters: Option<Entries<ParameterFile>>,
        /// Values of tables that may be tuned, and between what.
        ranges: Option<Entries<RangeFile>>,
        /// What a round is.
        phases: Must<Vec<PhaseFile>>,
        /// What simulations report.
        metrics: Option<Entries<MetricFile>>,
        /// Script functions that must answer `true` after every step; tests and simulations with `--verify` ask them.
        invariants: Option<Vec<At<String>>>,
        /// How bots think about this game.
        bots: Option<BotsFile>,
    }
}

words! {
    pub enum JudgeWord("moment") { Move = "move", Turn = "turn", Round = "round", }
}

record! {
    /// How bots think about a game.
    pub struct BotsFile("what bots are told") {
        /// Where `evaluate` of different lines may be compared: after a move (if left out), at the end of a turn, or of a round.
        judge_at: Option<JudgeWord>,
        /// How many such moments ahead bots look; 4 moves, 1 turn or 1 round if left out.
        ahead: Option<At<u32>>,
        /// How much more of `evaluate` makes a win 2.7 times as likely; `ludoteca calibrate` finds it.
        scale: Option<At<u32>>,
        /// By how many points of a hundred the chances worked out so are off at most; `ludoteca calibrate` measures it.
        off_by: Option<At<u32>>,
        /// With how many players that was measured; needs not be said of a game for one number of players. With others, chances are not shown as such.
        measured_with: Option<At<u32>>,
    }
}

words! {
    pub enum TurnDirection("direction") { Left = "left", Right = "right", }
}

words! {
    pub enum PlayerWord("word here") { Player = "player", }
}

words! {
    pub enum ZoneOwner("owner of a zone") { Game = "game", Player = "player", Space = "space", }
}

record! {
    /// A zone: where pieces are.
    pub struct ZoneFile("a zone") {
        /// Whose it is: one for the game (if left out), each player or each space.
        of: Option<ZoneOwner>,
        /// Who sees the pieces in it; all if left out.
        visible: Option<At<VisibleWord>>,
        /// The field or attribute its pieces stay in the order of, the lowest on top.
        sorted: Option<At<String>>,
        /// What it is called.
        text: Option<Text>,
    }
}

record! {
    /// A kind of card or piece.
    pub struct KindFile("a kind") {
        /// What it is called.
        text: Option<Text>,
        /// What its cards carry besides `copies`, `name` and `text`.
        fields: Option<Entries<FieldFile>>,
        /// The kind (this or another) whose back its pieces show to those who do not see them; left out where backs tell nothing.
        back: Option<At<String>>,
        /// A script function (card) that gives a list of what is wrong with a card of this kind, in words.
        check: Option<At<String>>,
    }
}

record! {
    /// A die.
    pub struct DieFile("a die") {
        /// The number on each face; 1 to 6 if left out.
        faces: Option<At<Vec<i32>>>,
        /// What it is called.
        text: Option<Text>,
        /// Whether the game's own log lines say what it shows; else the log has a line for each throw.
        told: Option<bool>,
    }
}

words! {
    pub enum ParameterWord("parameter type") { Int = "int", Bool = "bool", }
}

record! {
    /// A number, or a truth value, that a variant may change.
    pub struct ParameterFile("a parameter") {
        /// `int`, or `bool` for what is true or false.
        r#type: Option<ParameterWord>,
        /// What it is unless a variant says otherwise.
        value: Scalar,
        /// The least it may be.
        min: Option<At<i64>>,
        /// The most it may be.
        max: Option<At<i64>>,
        /// What it is called.
        text: Option<Text>,
    }
}

record! {
    /// Between what a value may be tuned.
    pub struct RangeFile("a range") {
        /// The least it may be.
        min: At<i64>,
        /// The most it may be.
        max: At<i64>,
    }
}

words! {
    pub enum Order("order") { Forward = "forward", Reverse = "reverse", }
}

record! {
    /// A step of each round.
    pub struct PhaseFile("a phase") {
        /// The script function it calls.
        step: At<String>,
        /// Once for each player in turn order; once altogether if left out.
        each: Option<PlayerWord>,
        /// The order of the players; forward if left out.
        order: Option<Order>,
        /// What it is called.
        text: Option<Text>,
    }
}

words! {
    pub enum MetricOwner("owner of a metric") { Game = "game", Player = "player", }
}

record! {
    /// A number that simulations report.
    pub struct MetricFile("a metric") {
        /// What it is called.
        text: Text,
        /// Whose it is: the game's (if left out) or each player's.
        of: Option<MetricOwner>,
        /// The script function that computes it.
        function: At<String>,
    }
}

/// What the manifest says, into the definition; the fields of each kind and the words of phrases stay with the names, to read cards.
pub fn read(file: GameFile, definition: &mut Definition, names: &mut Names, reader: &mut Reader) {
    if let Some(version) = &file.version.0 {
        if let Err(error) = semver::Version::parse(&version.value) {
            let message = format!("`{}` is not a version: {error}", version.value);
            let problem = Diagnostic::new(Code::BadName, message).at(&version.place);
            reader.report(problem.help("write three numbers, such as \"1.0.0\""));
        }
        definition.version = version.value.clone();
    }
    definition.title = file.title.0.unwrap_or_default();
    definition.summary = file.summary.0.unwrap_or_default();
    definition.players = players(file.players.0, reader);
    definition.to_the_right = file.direction == Some(TurnDirection::Right);
    definition.round_limit = ROUND_LIMIT;
    if let Some(limit) = file.round_limit {
        reader.within(i64::from(limit.value), &limit.place, 1, 1_000_000);
        definition.round_limit = limit.value;
    }
    definition.may_leave = file.leave == Some(true);
    definition.score = file.score.unwrap_or_default();
    let kept = attributes(file.attributes, definition, names, reader);
    sides::read(file.sides, definition, names, reader);
    kinds(file.kinds, definition, names, reader);
    vocabulary(file.effects, file.conditions, definition, names, reader);
    zones(file.zones, definition, reader);
    keep(kept, definition, reader);
    dice(file.dice, definition, reader);
    parameters(file.parameters, definition, reader);
    for phase in file.phases.0.unwrap_or_default() {
        definition.phases.push(Phase {
            step: phase.step.named(),
            each_player: phase.each.is_some(),
            reverse: phase.order == Some(Order::Reverse),
            text: phase.text,
        });
    }
    definition.invariants = file
        .invariants
        .unwrap_or_default()
        .into_iter()
        .map(At::named)
        .collect();
    bots(file.bots, definition, reader);
    for (name, metric) in file.metrics.unwrap_or_default() {
        reader.id(&name.value, &name.place);
        let metric = metric.map(|metric| Metric {
            name: name.value,
            text: metric.text,
            of_player: metric.of == Some(MetricOwner::Player),
            function: metric.function.named(),
        });
        definition.metrics.extend(metric);
    }
}

fn bots(file: Option<BotsFile>, definition: &mut Definition, reader: &mut Reader) {
    let Some(file) = file else { return };
    let judge_at = match file.judge_at {
        None | Some(JudgeWord::Move) => JudgeAt::Move,
        Some(JudgeWord::Turn) => JudgeAt::Turn,
        Some(JudgeWord::Round) => JudgeAt::Round,
    };
    let mut within = |given: Option<At<u32>>, least: i64, most: i64| {
        let given = given?;
        reader.within(i64::from(given.value), &given.place, least, most);
        Some(given.value)
    };
    let usual = if judge_at == JudgeAt::Move { 4 } else { 1 };
    definition.bots = BotsHints {
        judge_at,
        ahead: within(file.ahead, 1, 100).unwrap_or(usual),
        scale: within(file.scale, 1, 1_000_000_000),
        off_by: within(file.off_by, 0, 100),
        measured_with: within(file.measured_with, 1, i64::from(limits::MOST_PLAYERS)),
    };
}

fn players(given: Option<At<(u8, u8)>>, reader: &mut Reader) -> (u8, u8) {
    let Some(At { value, place }) = given else {
        return (1, 1);
    };
    let (min, max) = value;
    if min == 0 || min > max || max > limits::MOST_PLAYERS {
        let message = format!("{min} to {max} players cannot play");
        let problem = Diagnostic::new(Code::OutOfRange, message).at(&place);
        reader.report(problem.help(format!(
            "write the fewest and the most, from 1 to {}",
            limits::MOST_PLAYERS
        )));
        return (1, 1);
    }
    (min, max)
}

/// The words of effects and conditions; each needs its function in the scripts.
fn vocabulary(
    effects: Option<WordsFile>,
    conditions: Option<WordsFile>,
    definition: &mut Definition,
    names: &mut Names,
    reader: &mut Reader,
) {
    names.vocabulary.effects = phrase::declare(effects, PhraseSort::Effect, names, reader);
    names.vocabulary.conditions = phrase::declare(conditions, PhraseSort::Condition, names, reader);
    let Vocabulary {
        effects,
        conditions,
    } = &names.vocabulary;
    let effects = effects.all.iter().map(|word| (word, false));
    let conditions = conditions.all.iter().map(|word| (word, true));
    for (word, is_condition) in effects.chain(conditions) {
        let takes = word.takes.iter();
        let takes = takes.map(|d| (d.field.clone(), d.optional || d.default.is_some()));
        definition.phrase_words.push(PhraseWord {
            function: word.name.clone().named(),
            is_condition,
            takes: takes.collect(),
        });
    }
}

/// The two limits, in order.
pub fn limits<T: Ord + Copy + std::fmt::Display>(
    min: Option<At<T>>,
    max: Option<At<T>>,
    least: T,
    most: T,
    reader: &mut Reader,
) -> (T, T) {
    if let (Some(min), Some(max)) = (&min, &max)
        && min.value > max.value
    {
        let message = format!("`min` {} is more than `max` {}", min.value, max.value);
        let problem = Diagnostic::new(Code::OutOfRange, message).at(&min.place);
        reader.report(problem.related(&max.place, "the maximum"));
        return (least, most);
    }
    (
        min.map_or(least, |m| m.value),
        max.map_or(most, |m| m.value),
    )
}

fn zones(file: Option<Entries<ZoneFile>>, definition: &mut Definition, reader: &mut Reader) {
    let mut zones = Vec::new();
    let numbers = numbers_of_pieces(definition);
    for (name, zone) in file.unwrap_or_default() {
        reader.id(&name.value, &name.place);
        let Some(zone) = zone else { continue };
        let of = match zone.of {
            None | Some(ZoneOwner::Game) => ZoneOf::Game,
            Some(ZoneOwner::Player) => ZoneOf::Player,
            Some(ZoneOwner::Space) => ZoneOf::Space,
        };
        if let Some(sorted) = &zone.sorted {
            check_sorted(sorted, &numbers, reader);
        }
        zones.push(Zone {
            name: name.value,
            of,
            visible: visibility(zone.visible, of != ZoneOf::Game, reader),
            sorted: zone.sorted.map(At::named),
            text: zone.text,
        });
    }
    definition.zones = zones;
}

/// The numbers that pieces carry.
fn numbers_of_pieces(definition: &Definition) -> BTreeSet<&str> {
    let fields = definition.kinds.iter().flat_map(|kind| &kind.fields);
    let fields = fields.filter(|field| field.ty == FieldType::Int);
    let attributes = definition.attributes.piece.iter();
    let attributes = attributes.filter(|a| a.ty == AttributeType::Int && a.per == Per::One);
    let numbers = fields.map(|f| f.name.as_str());
    numbers.chain(attributes.map(|a| &*a.name)).collect()
}

/// Pieces are kept in the order of a number they carry.
fn check_sorted(sorted: &At<String>, numbers: &BTreeSet<&str>, reader: &mut Reader) {
    if !numbers.contains(sorted.value.as_str()) {
        let message = format!("no piece has the number `{}`", sorted.value);
        let problem = Diagnostic::new(Code::UnknownField, message).at(&sorted.place);
        reader.report(problem.suggest(&sorted.value, numbers.iter().copied()));
    }
}

fn kinds(
    file: Option<Entries<KindFile>>,
    definition: &mut Definition,
    names: &mut Names,
    reader: &mut Reader,
) {
    let mut fields = Vec::new();
    let mut backs = Vec::new();
    for (name, kind) in file.unwrap_or_default() {
        reader.id(&name.value, &name.place);
        let (text, declared, back, check) = kind.map_or((None, None, None, None), |kind| {
            (kind.text, kind.fields, kind.back, kind.check)
        });
        backs.push(back);
        let declared = field::declare(declared, super::cards::OWN, names, reader);
        definition.kinds.push(Kind {
            name: name.value.clone(),
            text,
            fields: declared.iter().map(|d| d.field.clone()).collect(),
            back: None,
            check: check.map(At::named),
        });
        fields.push((name.value, declared));
    }
    let known: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    for (kind, back) in definition.kinds.iter_mut().zip(backs) {
        let Some(back) = back else { continue };
        match known.iter().position(|name| *name == back.value) {
            Some(at) => kind.back = Some(at as u32),
            None => {
                let message = format!("unknown kind `{}`", back.value);
                let problem = Diagnostic::new(Code::UnknownKind, message).at(&back.place);
                reader.report(problem.suggest(&back.value, known.iter().copied()));
            }
        }
    }
    let in_place = fields.iter().flat_map(|(_, declared)| declared);
    for of in in_place.filter_map(|declared| declared.of.as_ref()) {
        if !known.contains(&of.value.as_str()) {
            let message = format!("unknown kind `{}`", of.value);
            let problem = Diagnostic::new(Code::UnknownKind, message).at(&of.place);
            reader.report(problem.suggest(&of.value, known.iter().copied()));
        }
    }
    names.kinds = fields.into();
}

fn dice(file: Option<Entries<DieFile>>, definition: &mut Definition, reader: &mut Reader) {
    let ordinary = || (1..=6).collect::<Vec<i32>>();
    let Some(entries) = file else {
        definition.dice.push(Die {
            name: "d6".to_string(),
            text: None,
            told: false,
            small: true,
            faces: ordinary(),
        });
        return;
    };
    for (name, die) in entries {
        reader.id(&name.value, &name.place);
        let die = die.unwrap_or(DieFile {
            faces: None,
            text: None,
            told: None,
        });
        let faces = match die.faces {
            None => ordinary(),
            Some(faces) if faces.value.is_empty() => {
                let message = "a die needs a face";
                reader.report(Diagnostic::new(Code::OutOfRange, message).at(&faces.place));
                ordinary()
            }
            Some(faces) => faces.value,
        };
        definition.dice.push(Die {
            name: name.value,
            text: die.text,
            told: die.told.unwrap_or(false),
            small: faces.iter().all(|&face| i8::try_from(face).is_ok()),
            faces,
        });
    }
}

fn parameters(
    file: Option<Entries<ParameterFile>>,
    definition: &mut Definition,
    reader: &mut Reader,
) {
    for (name, parameter) in file.unwrap_or_default() {
        reader.id(&name.value, &name.place);
        // A parameter that cannot be read is there all the same: rules that use it are not at fault.
        let Some(parameter) = parameter else {
            definition.parameters.push(Parameter {
                name: name.value,
                value: 0,
                is_flag: false,
                min: i64::MIN,
                max: i64::MAX,
                text: None,
            });
            continue;
        };
        let is_flag = parameter.r#type == Some(ParameterWord::Bool);
        let widest = match is_flag {
            true => (0, 1),
            false => (i64::MIN, i64::MAX),
        };
        let (min, max) = limits(parameter.min, parameter.max, widest.0, widest.1, reader);
        let place = parameter.value.place().clone();
        let value = match parameter.value.number(is_flag, reader) {
            Some(value) => {
                reader.within(value, &place, min, max);
                value
            }
            None => 0.clamp(min, max),
        };
        definition.parameters.push(Parameter {
            name: name.value,
            value,
            is_flag,
            min,
            max,
            text: parameter.text,
        });
    }
}

/// Puts a number in the place of what should be one, so that rules that count with it are not blamed.
fn stand_in(tables: &mut BTreeMap<String, Data>, key: &str, number: i64) {
    let mut names = key.split('.');
    let mut data = names.next().and_then(|first| tables.get_mut(first));
    for name in names {
        data = match data {
            Some(Data::Table(inside)) => inside.get_mut(name),
            _ => None,
        };
    }
    if let Some(data) = data {
        *data = Data::Int(number);
    }
}

/// Ranges speak of values in the tables, or from the root of the game (`dice.attack.faces`), which must be there, be numbers or lists
/// of numbers, and lie inside.
pub fn ranges(
    file: Option<Entries<RangeFile>>,
    tables: &Node,
    root: &Node,
    definition: &mut Definition,
    reader: &mut Reader,
) {
    // Gathered for the first that is not there: both may be many.
    let known = LazyCell::new(|| setting::keys(tables));
    for (key, range) in file.unwrap_or_default() {
        let Some(range) = range else { continue };
        let (min, max) = limits(Some(range.min), Some(range.max), 0, 0, reader);
        let in_tables = setting::find(tables, &key.value);
        let found = in_tables.or_else(|| setting::find(root, &key.value));
        match found.map(|node| (&node.value, &node.place)) {
            Some((Datum::Int(value), place)) => {
                reader.within(*value, place, min, max);
            }
            // Decimal numbers are reported where they stand.
            Some((Datum::List(items), _)) if items.iter().all(is_number) => {
                for item in items.iter() {
                    if let Datum::Int(value) = item.value {
                        reader.within(value, &item.place, min, max);
                    }
                }
            }
            // Reported where it stands.
            Some((Datum::Decimal(_) | Datum::Date(_), _)) => {}
            Some((_, place)) => {
                let message = format!("`{}` is not a number", key.value);
                let problem = Diagnostic::new(Code::WrongType, message).at(place);
                reader.report(problem.related(&key.place, "this range says that it is one"));
                stand_in(&mut definition.tables, &key.value, min);
            }
            None => {
                let message = format!("there is no `{}` in the tables", key.value);
                let problem = Diagnostic::new(Code::UnknownKey, message).of(VALUE);
                let problem = problem.at(&key.place);
                reader.report(problem.suggest(&key.value, known.iter().map(String::as_str)));
            }
        }
        definition.ranges.push(TableRange {
            key: key.value,
            min,
            max,
        });
    }
}

fn is_number(node: &Node) -> bool {
    matches!(node.value, Datum::Int(_) | Datum::Decimal(_))
}
