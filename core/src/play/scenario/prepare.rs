//! A scenario made ready to run: every name of its sheet looked up in the game it is about.

use super::file::{
    AnswerFile, Ended, ExpectFile, Keys, PieceFile, ScenarioSheet, StateFile, Values,
};
use super::keys;
use super::names::{SaidValue, Saying, TableNames, seat_number};
use super::prepared::{
    Answer, Expect, GivenAnswer, Laid, LaidPiece, SaidOf, Scenario, Starts, WrittenCall,
};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::read::reader::{At, Entries, Reader};
use crate::content::tree::Datum;
use crate::model::board::Placement;
use crate::model::value::{self, Val, handle};
use crate::table::game::Game;
use crate::table::types::domain;
use ludoteca_vm::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The scenario of a sheet for a game that was loaded with its variants and settings, and everything that is wrong with it.
pub fn prepare(
    sheet: &ScenarioSheet,
    place: &Place,
    game: &Arc<Game>,
    reader: &mut Reader,
) -> Option<Scenario> {
    let players = players(sheet, game, reader)?;
    let names = TableNames::new(game, players);
    if let Some(At { value, place }) = &sheet.title.0 {
        reader.one_line(value, place);
    }
    let seed = sheet.seed.as_ref().map_or(Some(1), |seed| {
        reader.within(seed.value, &seed.place, 0, i64::MAX)
    });
    let mut scenario = Scenario {
        title: sheet.title.0.clone()?,
        players,
        seed: seed? as u64,
        setup: sheet.setup.unwrap_or(false),
        calls: calls(sheet, place, &names, reader),
        dice: dice(sheet, game, reader),
        shuffles: shuffles(sheet, &names, reader),
        position: Laid::default(),
        answers: Vec::new(),
        expect: Expect::default(),
    };
    if let Some(state) = &sheet.state {
        scenario.position = position(state, &names, reader);
    }
    for answer in sheet.answers.iter().flatten() {
        scenario
            .answers
            .extend(self::answer(answer, &names, reader));
    }
    match &sheet.expect {
        Some(file) => scenario.expect = expect(file, &names, reader),
        None => nothing_expected(place, "the scenario expects nothing", reader),
    }
    Some(scenario)
}

fn players(sheet: &ScenarioSheet, game: &Game, reader: &mut Reader) -> Option<u8> {
    let At { value, place } = sheet.players.0.as_ref()?;
    let (fewest, most) = game.definition.players;
    if (fewest..=most).contains(value) {
        return Some(*value);
    }
    let message = format!(
        "`{}` is for {fewest} to {most} players, not {value}",
        game.definition.id
    );
    reader.report(Diagnostic::new(Code::OutOfRange, message).at(place));
    None
}

fn nothing_expected(place: &Place, message: &str, reader: &mut Reader) {
    let problem = Diagnostic::new(Code::NothingExpected, message).at(place);
    reader
        .report(problem.help("say in `expect` what must hold, or it holds whatever the rules do"));
}

fn calls(
    sheet: &ScenarioSheet,
    place: &Place,
    names: &TableNames,
    reader: &mut Reader,
) -> Vec<WrittenCall> {
    let written = sheet.run.as_deref().unwrap_or_default();
    if written.is_empty() && sheet.setup != Some(true) {
        let problem = Diagnostic::new(Code::BadCall, "the scenario runs nothing").at(place);
        reader.report(
            problem.help("name calls in `run`, such as `\"attack(p0)\"`, or `setup = true`"),
        );
    }
    let call = |written: &At<String>, reader: &mut Reader| {
        Some(WrittenCall {
            starts: starts(written, names, reader)?,
            written: written.clone(),
        })
    };
    written.iter().filter_map(|w| call(w, reader)).collect()
}

/// `attack(p0, "argentina", 3)`, or a whole `round`.
fn starts(call: &At<String>, names: &TableNames, reader: &mut Reader) -> Option<Starts> {
    let written = call.value.trim();
    if written == "round" {
        return Some(Starts::Round);
    }
    let inside = written
        .split_once('(')
        .and_then(|(name, rest)| Some((name.trim(), rest.strip_suffix(')')?)));
    let Some((name, inside)) = inside else {
        let message = format!("`{written}` is not a call");
        let problem = Diagnostic::new(Code::BadCall, message).at(&call.place);
        reader.report(problem.help("write it like `attack(p0, \"argentina\", 3)`, or `round`"));
        return None;
    };
    let arguments: Vec<&str> = match inside.trim() {
        "" => Vec::new(),
        inside => inside.split(',').map(str::trim).collect(),
    };
    let read: Vec<_> = arguments
        .iter()
        .map(|written| argument(written, call, names, reader))
        .collect();
    let Some(function) = names.game().program.function(name, read.len()) else {
        let message = match read.len() {
            1 => format!("the scripts have no function `{name}` with 1 parameter"),
            n => format!("the scripts have no function `{name}` with {n} parameters"),
        };
        let problem = Diagnostic::new(Code::UnknownFunction, message).at(&call.place);
        let functions = names
            .game()
            .program
            .functions()
            .filter(|f| !f.is_prelude && !f.is_closure);
        let known: Vec<&str> = functions.map(|f| f.name.as_str()).collect();
        reader.report(match known.contains(&name) {
            true => problem.help(format!("`{name}` takes another number of parameters")),
            false => problem.suggest(name, known),
        });
        return None;
    };
    Some(Starts::Function(
        function,
        read.into_iter().collect::<Option<_>>()?,
    ))
}

fn argument(
    written: &str,
    call: &At<String>,
    names: &TableNames,
    reader: &mut Reader,
) -> Option<Val> {
    let place = &call.place;
    if let Some(text) = written
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
    {
        // What stands on the map comes first; a word is the last resort.
        let things = [domain::SPACE, domain::AREA, domain::CARD];
        let named = things.into_iter().find_map(|of| names.find(of, text));
        if named.is_none() && !keys::is_word(names.game(), text) {
            let message = format!("nothing in the game is called `{text}`");
            let problem = Diagnostic::new(Code::UnknownWord, message).at(place);
            reader.report(problem.suggest(text, keys::all_names(names.game())));
            return None;
        }
        return Some(named.unwrap_or_else(|| Value::string(text)));
    }
    let seat = seat_number(written);
    let found = match written {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "()" => Some(Value::Unit),
        _ if seat.is_some() => {
            let seat = At {
                value: seat?,
                place: place.clone(),
            };
            return names.seat(&seat, reader).map(value::player);
        }
        _ => written.parse().ok().map(Value::Int),
    };
    if found.is_none() {
        let message = format!("`{written}` is not something to call a function with");
        let problem = Diagnostic::new(Code::BadCall, message).at(place);
        reader.report(problem.help("a player is `p0`, a name stands in quotes, then there are numbers, `true`, `false` and `()`"));
    }
    found
}

fn dice(
    sheet: &ScenarioSheet,
    game: &Game,
    reader: &mut Reader,
) -> BTreeMap<usize, (Place, Vec<i32>)> {
    let declared = &game.definition.dice;
    let mut found = BTreeMap::new();
    for (name, shown) in sheet.dice.iter().flat_map(|dice| &dice.0) {
        let Some(die) = declared.iter().position(|die| die.name == name.value) else {
            let all = declared.iter().map(|die| die.name.as_str());
            super::names::unknown::<()>("die", Code::UnknownWord, name, all, reader);
            continue;
        };
        let shown = shown.as_deref().unwrap_or_default();
        for face in shown
            .iter()
            .filter(|face| !declared[die].faces.contains(&face.value))
        {
            let message = format!("the die `{}` has no face {}", name.value, face.value);
            reader.report(Diagnostic::new(Code::OutOfRange, message).at(&face.place));
        }
        let faces = shown.iter().map(|face| face.value).collect();
        found.insert(die, (name.place.clone(), faces));
    }
    found
}

fn shuffles(
    sheet: &ScenarioSheet,
    names: &TableNames,
    reader: &mut Reader,
) -> BTreeMap<u32, (Place, Vec<u32>)> {
    let mut found = BTreeMap::new();
    for (key, cards) in sheet.shuffles.iter().flat_map(|zones| &zones.0) {
        let zone = names.zone(key, reader);
        let cards = cards.iter().flatten();
        let cards: Vec<u32> = cards.filter_map(|card| names.card(card, reader)).collect();
        found.extend(zone.map(|zone| (zone, (key.place.clone(), cards))));
    }
    found
}

fn position(state: &StateFile, names: &TableNames, reader: &mut Reader) -> Laid {
    let mut position = Laid::default();
    for (id, lies) in state.sections.iter().flat_map(|sections| &sections.0) {
        let map = names.game().definition.map.iter();
        let sections: Vec<&str> = map
            .flat_map(|m| &m.sections)
            .map(|s| s.id.as_str())
            .collect();
        let Some(section) = sections.iter().position(|section| *section == id.value) else {
            super::names::unknown::<()>("section", Code::BadSection, id, sections, reader);
            continue;
        };
        let Some(lies) = lies else { continue };
        let turns = lies.turns.as_ref().map_or(Some(0), |turns| {
            reader.within(turns.value.into(), &turns.place, 0, 3)
        });
        if let (Some(column), Some(row), Some(turns)) = (lies.column.0, lies.row.0, turns) {
            position.sections.push(Placement {
                section: section as u32,
                column,
                row,
                turns: turns as u8,
            });
        }
    }
    position.keep = state.keep.as_ref().map(|kept| {
        let spaces = kept.iter().filter_map(|space| names.space(space, reader));
        spaces.collect()
    });
    position.order = state
        .order
        .as_ref()
        .map(|order| order_of_play(order, state, names, reader));
    position.start = state
        .start
        .as_ref()
        .and_then(|seat| names.seat(seat, reader));
    let game = state.game.iter();
    let game = game.map(|values| ("game".to_string(), handle::GAME, 0, values));
    let mut things: Vec<_> = game.collect();
    if let Some(players) = &state.players {
        things.extend(of_players(players, names, reader));
    }
    for (id, values) in state.spaces.iter().flat_map(|spaces| &spaces.0) {
        let Some(values) = values else { continue };
        if id.value == "*" {
            position.everywhere = sayings(handle::SPACE, values, names, reader);
        } else if let Some(space) = names.space(id, reader) {
            things.push((format!("spaces.{}", id.value), handle::SPACE, space, values));
        }
    }
    position.values = things
        .into_iter()
        .map(|(called, kind, id, values)| SaidOf {
            called,
            kind,
            id,
            sayings: sayings(kind, values, names, reader),
        })
        .collect();
    for thing in &position.values {
        within_the_rounds(&thing.sayings, names, reader);
    }
    let mut laid: BTreeMap<u32, (u32, Place)> = BTreeMap::new();
    for (key, written) in state.zones.iter().flat_map(|zones| &zones.0) {
        let zone = names.zone(key, reader);
        let written = written.as_deref().unwrap_or_default();
        let pieces = pieces(written, names, reader);
        if zone.is_some_and(|zone| !names.are_made_in(zone)) && pieces.len() == written.len() {
            for (piece, at) in pieces.iter().zip(written) {
                count_copies(piece.card, &at.card, &mut laid, names, reader);
            }
        }
        position.zones.extend(zone.map(|zone| (zone, pieces)));
    }
    position
}

/// What is said of players: what each is called in the file, and which it is.
fn of_players<'s>(
    players: &'s Entries<Values>,
    names: &TableNames,
    reader: &mut Reader,
) -> Vec<(String, u8, u32, &'s Values)> {
    let said = names.by_seat(players, reader).into_iter();
    said.map(|(seat, key, values)| {
        let called = format!("players.{}", key.value);
        (called, handle::PLAYER, seat.into(), values)
    })
    .collect()
}

/// The turn order names every player once, but for those who are out: they come last.
fn order_of_play(
    order: &At<Vec<At<u8>>>,
    state: &StateFile,
    names: &TableNames,
    reader: &mut Reader,
) -> Vec<u8> {
    let before = reader.problems.len();
    let mut seats = names.seats(&order.value, reader);
    let sound = reader.problems.len() == before;
    let said = state.players.iter().flat_map(|players| &players.0);
    let is_out = |(key, values): &(At<String>, Option<Values>)| {
        let said = values.iter().flat_map(|values| &values.0);
        let mut out = said.filter(|(name, _)| name.value == "out");
        let out = out.any(|(_, node)| {
            let node = node.as_ref().map(|node| &node.0.value);
            matches!(node, Some(Datum::Bool(true)))
        });
        out.then(|| seat_number(&key.value).or_else(|| key.value.parse().ok()))?
    };
    let out: Vec<u8> = said.filter_map(is_out).collect();
    for seat in (0..names.players()).filter(|seat| !order.value.iter().any(|s| s.value == *seat)) {
        if out.contains(&seat) {
            seats.push(seat);
        } else if sound {
            let message = format!("the order must name every player once; p{seat} is missing");
            reader.report(Diagnostic::new(Code::WrongType, message).at(&order.place));
        }
    }
    seats
}

/// A round that is never reached is none to begin in.
fn within_the_rounds(sayings: &[Saying], names: &TableNames, reader: &mut Reader) {
    let limit = names.game().definition.round_limit;
    for saying in sayings {
        if let SaidValue::Round(round) = &saying.said
            && *round > limit
        {
            let message = format!("the game has {limit} rounds, and no round {round}");
            reader.report(Diagnostic::new(Code::OutOfRange, message).at(&saying.name.place));
        }
    }
}

/// A card that is there once cannot lie in two places.
fn count_copies(
    card: u32,
    at: &At<String>,
    laid: &mut BTreeMap<u32, (u32, Place)>,
    names: &TableNames,
    reader: &mut Reader,
) {
    let (count, first) = laid.entry(card).or_insert((0, at.place.clone()));
    *count += 1;
    // Said once, however many there are too many.
    let Some(copies) = names.copies(card).filter(|copies| *count == *copies + 1) else {
        return;
    };
    let message = match copies {
        1 => format!("there is one `{}`, and it lies elsewhere already", at.value),
        n => format!(
            "there are {n} `{}`, and all of them lie elsewhere already",
            at.value
        ),
    };
    let problem = Diagnostic::new(Code::TooManyCopies, message);
    reader.report(problem.at(&at.place).related(first, "the first one"));
}

fn sayings(kind: u8, values: &Values, names: &TableNames, reader: &mut Reader) -> Vec<Saying> {
    let say = |(name, node): &(At<String>, Option<crate::content::read::reader::Anything>),
               reader: &mut Reader| {
        let node = node.as_ref()?;
        names.say(kind, name, &node.0, reader)
    };
    values
        .0
        .iter()
        .filter_map(|value| say(value, reader))
        .flatten()
        .collect()
}

fn pieces(written: &[PieceFile], names: &TableNames, reader: &mut Reader) -> Vec<LaidPiece> {
    let piece = |file: &PieceFile, reader: &mut Reader| {
        let sayings = file
            .values
            .iter()
            .filter_map(|(name, node)| names.say(handle::PIECE, name, node, reader))
            .flatten()
            .collect();
        Some(LaidPiece {
            card: names.card(&file.card, reader)?,
            sayings,
        })
    };
    written
        .iter()
        .filter_map(|file| piece(file, reader))
        .collect()
}

fn answer(file: &At<AnswerFile>, names: &TableNames, reader: &mut Reader) -> Option<At<Answer>> {
    let At { value, place } = file;
    let seat = value.seat.as_ref().map(|seat| names.seat(seat, reader));
    let prompt = value.prompt.as_ref();
    if let Some(prompt) = prompt {
        names.text(domain::PROMPT, prompt, reader);
    }
    for key in [&value.choose, &value.refuse]
        .into_iter()
        .flatten()
        .flat_map(|keys| &keys.0)
    {
        keys::check(key, names, reader);
    }
    let gives = match (&value.choose, &value.refuse) {
        (Some(keys), None) => GivenAnswer::Choice(plain(keys)),
        (None, Some(keys)) if !keys.0.is_empty() => GivenAnswer::Refusal(keys.0.clone()),
        (chosen, _) => {
            let message = match chosen {
                Some(_) => "an answer that chooses cannot refuse as well",
                None => "an answer needs what to `choose`, or what must be refused",
            };
            let problem = Diagnostic::new(Code::BadAnswer, message).at(place);
            reader.report(problem.help("write two answers: after `refuse` the choice stays open"));
            return None;
        }
    };
    let prompt = prompt.map(|prompt| prompt.value.clone());
    Some(At {
        value: Answer {
            seat: seat.flatten(),
            prompt,
            gives,
        },
        place: place.clone(),
    })
}

fn plain(keys: &Keys) -> Vec<String> {
    keys.0.iter().map(|key| key.value.clone()).collect()
}

fn expect(file: &At<ExpectFile>, names: &TableNames, reader: &mut Reader) -> Expect {
    let At { value: file, place } = file;
    if expects_nothing(file, reader) {
        nothing_expected(place, "the scenario expects nothing", reader);
    }
    for keys in [&file.options, &file.offered, &file.not_offered]
        .into_iter()
        .flatten()
    {
        for key in &keys.value.0 {
            keys::check(key, names, reader);
        }
    }
    if let Some(asked) = file.asked.as_ref().filter(|asked| !asked.value.is_empty()) {
        names.text(domain::PROMPT, asked, reader);
    }
    let keys = |keys: &Option<At<Keys>>| keys.as_ref().map_or_else(Vec::new, |k| k.value.0.clone());
    let lines = |lines: &Option<At<Vec<At<String>>>>, reader: &mut Reader| {
        let lines = lines.as_ref().map_or(&[][..], |lines| &lines.value);
        for line in lines {
            names.text(domain::LOG, line, reader);
        }
        lines.to_vec()
    };
    let seats = |seats: &Option<At<Vec<At<u8>>>>, reader: &mut Reader| {
        let At { value, place } = seats.as_ref()?;
        let value = names.seats(value, reader);
        Some(At {
            value,
            place: place.clone(),
        })
    };
    if let Some(At {
        value: Ended::For(reason),
        place,
    }) = &file.ended
    {
        check_reason(reason, place, names, reader);
    }
    if let Some(fault) = file
        .fault
        .as_ref()
        .filter(|fault| fault.value.trim().is_empty())
    {
        nothing_expected(
            &fault.place,
            "every message has the empty text in it",
            reader,
        );
    }
    let seat = file.seat.as_ref();
    Expect {
        asked: file.asked.clone(),
        seat: seat
            .filter(|seat| names.seat(seat, reader).is_some())
            .cloned(),
        options: file.options.as_ref().map(|options| At {
            value: plain(&options.value),
            place: options.place.clone(),
        }),
        offered: keys(&file.offered),
        not_offered: keys(&file.not_offered),
        log: lines(&file.log, reader),
        not_log: lines(&file.not_log, reader),
        ended: file.ended.clone(),
        winners: seats(&file.winners, reader),
        order: seats(&file.order, reader),
        fault: file.fault.clone(),
        values: expected_values(file, names, reader),
        zones: expected_zones(file, names, reader),
        sizes: expected_sizes(file, names, reader),
    }
}

/// Why a game ends: a text of the rules, or one of the kernel's own words.
fn check_reason(reason: &str, place: &Place, names: &TableNames, reader: &mut Reader) {
    const OF_THE_KERNEL: [&str; 2] = ["rules", "round-limit"];
    if names.find(domain::REASON, reason).is_some() || OF_THE_KERNEL.contains(&reason) {
        return;
    }
    let reason = At {
        value: reason.to_string(),
        place: place.clone(),
    };
    let known = &names.game().lexicon.reasons;
    let known = known.iter().map(String::as_str).chain(OF_THE_KERNEL);
    super::names::unknown::<()>("reason", Code::UnknownText, &reason, known, reader);
}

/// Whether nothing at all is expected. A list or table without anything in it is reported as well: it holds always.
fn expects_nothing(file: &ExpectFile, reader: &mut Reader) -> bool {
    let listed = [
        file.offered
            .as_ref()
            .map(|keys| (keys.value.0.len(), &keys.place)),
        file.not_offered
            .as_ref()
            .map(|keys| (keys.value.0.len(), &keys.place)),
        file.log
            .as_ref()
            .map(|lines| (lines.value.len(), &lines.place)),
        file.not_log
            .as_ref()
            .map(|lines| (lines.value.len(), &lines.place)),
        file.game
            .as_ref()
            .map(|values| (values.value.0.len(), &values.place)),
        file.players
            .as_ref()
            .map(|players| (said(&players.value), &players.place)),
        file.spaces
            .as_ref()
            .map(|spaces| (said(&spaces.value), &spaces.place)),
        file.zones
            .as_ref()
            .map(|zones| (zones.value.0.len(), &zones.place)),
        file.sizes
            .as_ref()
            .map(|sizes| (sizes.value.0.len(), &sizes.place)),
    ];
    for (_, place) in listed.iter().flatten().filter(|(count, _)| *count == 0) {
        nothing_expected(place, "this expects nothing", reader);
    }
    let single = file.asked.is_some()
        || file.seat.is_some()
        || file.options.is_some()
        || file.ended.is_some()
        || file.winners.is_some()
        || file.order.is_some()
        || file.fault.is_some();
    !single && listed.iter().all(Option::is_none)
}

/// How many values are said of all of some things; 0 also if of one of them nothing is.
fn said(things: &Entries<Values>) -> usize {
    let counts = things
        .0
        .iter()
        .map(|(_, values)| values.as_ref().map_or(1, |v| v.0.len()));
    counts.min().unwrap_or(0)
}

fn expected_values(file: &ExpectFile, names: &TableNames, reader: &mut Reader) -> Vec<SaidOf> {
    let mut things = Vec::new();
    if let Some(values) = &file.game {
        things.push(("game".to_string(), handle::GAME, 0, &values.value));
    }
    if let Some(players) = &file.players {
        things.extend(of_players(&players.value, names, reader));
    }
    for (id, values) in file.spaces.iter().flat_map(|spaces| &spaces.value.0) {
        if let (Some(space), Some(values)) = (names.space(id, reader), values) {
            things.push((format!("spaces.{}", id.value), handle::SPACE, space, values));
        }
    }
    let thing = |(called, kind, id, values), reader: &mut Reader| SaidOf {
        called,
        kind,
        id,
        sayings: sayings(kind, values, names, reader),
    };
    things.into_iter().map(|one| thing(one, reader)).collect()
}

fn expected_zones(
    file: &ExpectFile,
    names: &TableNames,
    reader: &mut Reader,
) -> Vec<(At<String>, u32, Vec<LaidPiece>)> {
    let mut found = Vec::new();
    for (key, written) in file.zones.iter().flat_map(|zones| &zones.value.0) {
        let zone = names.zone(key, reader);
        let Some(written) = written else { continue };
        let pieces = pieces(&written.value, names, reader);
        found.extend(zone.map(|zone| (key.clone(), zone, pieces)));
    }
    found
}

fn expected_sizes(
    file: &ExpectFile,
    names: &TableNames,
    reader: &mut Reader,
) -> Vec<(At<String>, u32, u32)> {
    let mut found = Vec::new();
    for (key, size) in file.sizes.iter().flat_map(|sizes| &sizes.value.0) {
        if let (Some(zone), Some(size)) = (names.zone(key, reader), size) {
            found.push((key.clone(), zone, size.value));
        }
    }
    found
}
