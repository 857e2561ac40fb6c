//! What the kernel's values mean to the compiler of scripts beyond their types: what attributes and fields hold, what functions give, what
//! is a place and what a copy.

use super::judge::CallJudge;
use super::verbs::{self, Verb};
use crate::content::definition::{
    AttributeType, Definition, Field, FieldType, FieldValue, Per, ZoneOf,
};
use crate::limits::STEP_ARGUMENTS;
use crate::table::Table;
use crate::table::fit;
use crate::table::lexicon::Lexicon;
use crate::table::types::{self, BUILT_IN, domain};
use ludoteca_vm::{
    Called, Domain, FunctionMeaning, Gives, Known, Meaning, MustGive, PropertyDecl, Seen, Type,
    TypeId,
};
use std::collections::HashMap;

/// Everything there is to know about a game's scripts from its declarations.
pub fn meaning(
    definition: &Definition,
    lexicon: &Lexicon,
    properties: &[PropertyDecl<Table>],
    open: &HashMap<(TypeId, String), Domain>,
) -> Meaning<Table> {
    let judge = CallJudge::new(definition, lexicon);
    Meaning {
        properties: held(definition, properties, open),
        functions: verbs::forms()
            .iter()
            .map(|form| function(form.verb))
            .collect(),
        called: called(definition),
        alike: vec![(types::WORD, Type::Str), (types::EDGE, types::EDGES)],
        hints: vec![(
            types::PLAYER,
            Type::Str,
            "compare players with players, `p == player(0)`, or their seats, `p.seat == 0`",
        )],
        places: vec![(id(types::ZONE), "its `.pieces`".into())],
        views: [types::ROW, types::FLAGS]
            .map(|row| (id(row), "`copy_of(..)` it".into()))
            .to_vec(),
        instead: not_lists(),
        judge: Box::new(move |seen: &Seen<'_, Table>| judge.call(seen)),
    }
}

fn id(ty: Type) -> TypeId {
    match ty {
        Type::Host(id) => id,
        _ => TypeId(u16::MAX),
    }
}

/// What properties hold. Declared types leave open what may be `()`.
fn held(
    definition: &Definition,
    properties: &[PropertyDecl<Table>],
    open: &HashMap<(TypeId, String), Domain>,
) -> HashMap<(TypeId, String), Known> {
    let mut known = HashMap::new();
    for (on, name, ty, ..) in BUILT_IN {
        let names = names_of(*on, name);
        let built_in = Known::of(&[*ty]).named(names);
        known.insert((id(*on), name.to_string()), built_in);
    }
    let names = |on: Type, name: &str| {
        let declared = properties
            .iter()
            .find(|p| p.on == id(on) && p.name == *name);
        let closed = declared.and_then(|p| p.names);
        closed.or_else(|| open.get(&(id(on), name.to_string())).copied())
    };
    let zones = definition.zones.iter().map(|zone| {
        let owner = match zone.of {
            ZoneOf::Game => types::GAME,
            ZoneOf::Player => types::PLAYER,
            ZoneOf::Space => types::SPACE,
        };
        (
            (id(owner), zone.name.clone()),
            Known::of(&[types::ZONE]).always(),
        )
    });
    known.extend(zones);
    let all = &definition.attributes;
    let owners = [
        (types::GAME, &all.game),
        (types::PLAYER, &all.player),
        (types::SPACE, &all.space),
        (types::PIECE, &all.piece),
    ];
    for (on, attribute) in owners
        .into_iter()
        .flat_map(|(on, list)| list.iter().map(move |a| (on, a)))
    {
        let holds = match (&attribute.per, &attribute.ty) {
            (Per::One, AttributeType::Word(_)) => Known::of(&[types::WORD]),
            (Per::One, ty) => Known::of(&fit::attribute_types(ty)[..1]),
            (_, AttributeType::Bool) => Known::of(&[types::FLAGS]),
            _ => Known::of(&[types::ROW]),
        };
        let holds = holds.named(names(on, &attribute.name));
        known.insert((id(on), attribute.name.clone()), holds);
    }
    let kinds = definition.kinds.iter().flat_map(|kind| &kind.fields);
    for on in [types::PIECE, types::CARD] {
        fields(on, kinds.clone(), &names, &mut known);
    }
    if let Some(map) = &definition.map {
        fields(types::SPACE, map.space_fields.iter(), &names, &mut known);
        fields(types::EDGE, map.edge_fields.iter(), &names, &mut known);
        fields(types::AREA, map.area_fields.iter(), &names, &mut known);
    }
    known
}

/// The names a built-in property is one of.
fn names_of(on: Type, name: &str) -> Option<Domain> {
    match (on, name) {
        (types::SPACE, "id") => Some(domain::SPACE),
        (types::SPACE, "section") => Some(domain::SECTION),
        (types::PIECE | types::CARD, "id") => Some(domain::CARD),
        (types::PIECE | types::CARD, "kind") => Some(domain::KIND),
        (types::AREA, "id") => Some(domain::AREA),
        _ => None,
    }
}

/// What fields hold; kinds that declare a field of one name differently leave it open.
fn fields<'f>(
    on: Type,
    declared: impl Iterator<Item = &'f Field>,
    names: &dyn Fn(Type, &str) -> Option<Domain>,
    known: &mut HashMap<(TypeId, String), Known>,
) {
    let mut holds: HashMap<&str, Known> = HashMap::new();
    for field in declared {
        let names = names(on, &field.name);
        let this = match &field.ty {
            FieldType::Word(_) => Known::of(&[types::WORD]).named(names),
            FieldType::Words(_) => Known::of(&[types::WORD]).named(names).list(),
            FieldType::Ints => Known::of(&[Type::Int]).list(),
            FieldType::Cards => Known::of(&[types::CARD]).list(),
            FieldType::Table => Known::default(),
            // What a card or space leaves out is `()`.
            other => Known::of(&[fit::field_types(other)[0], Type::Unit]),
        };
        match holds.get_mut(&*field.name) {
            Some(other) if *other != this => *other = Known::default(),
            Some(_) => {}
            None => {
                holds.insert(&field.name, this);
            }
        }
    }
    for (name, this) in holds {
        known.insert((id(on), name.to_string()), this);
    }
}

/// Functions that do something besides giving a result. All others that give one only answer.
const ACTING: &[&str] = &[
    "choose",
    "choose_or",
    "choose_some",
    "choose_action",
    "choose_amount",
    "choose_yes",
    "choose_together",
    "create",
    "draw",
    "note_board",
    "roll",
    "roll_one",
    "take_step",
];

/// Functions that put pieces into zones, take them away or put them in another order.
const MOVING: &[&str] = &[
    "create",
    "draw",
    "fill",
    "move",
    "move_all",
    "move_to",
    "move_under",
    "pass_zones",
    "remove",
    "remove_all",
    "shuffle",
    "sort_zone",
];

/// What may change without anybody's saying its name: pieces in zones, numbers in rows.
fn changes(verb: &Verb) -> Vec<TypeId> {
    match verb.name {
        moving if MOVING.contains(&moving) => vec![id(types::ZONE)],
        "set_all" | "copy_all" => [types::ZONE, types::ROW, types::FLAGS].map(id).to_vec(),
        _ => Vec::new(),
    }
}

fn function(verb: &Verb) -> FunctionMeaning {
    let number = || Gives::Known(Known::of(&[Type::Int]));
    let list = |ty: Type| Gives::Known(Known::of(&[ty]).list());
    let gives = match verb.name {
        "choose" => Some(Gives::Member(2)),
        "choose_or" => Some(Gives::MemberOfEither(2, 3)),
        "choose_some" => Some(Gives::Members(2)),
        "choose_together" => Some(Gives::MembersOrTheirs(2)),
        "choose_action" => {
            let action = Known::of(&[Type::Str]).named(Some(domain::ACTION)).always();
            Some(Gives::Map(vec![
                ("action", action),
                ("on", Known::default()),
            ]))
        }
        "first" | "shuffled" => Some(Gives::Members(0)),
        "highest" | "lowest" => Some(Gives::Member(0)),
        "distance" | "cheapest" => Some(number()),
        "step" | "cell" => Some(Gives::Known(Known::of(&[types::SPACE]))),
        "regions" => Some(list(types::SPACES)),
        "areas" => Some(list(types::AREA)),
        "cards" => Some(list(types::CARD)),
        "sections" => {
            let words = Known::of(&[types::WORD]).named(Some(domain::SECTION));
            Some(Gives::Known(words.list()))
        }
        _ => None,
    };
    let note = match verb.name {
        "choose_or" => Some("`choose_or` gives () for its word: compare with `()`"),
        "roll" => Some(
            "`roll` gives all dice: `roll_one()` throws one, `dice[0]` is the highest, `sum(dice)` adds them up",
        ),
        _ => None,
    };
    FunctionMeaning {
        gives,
        answers: verb.result != Type::Unit && !ACTING.contains(&verb.name),
        changes: changes(verb),
        note,
        // Words that are offered have a text.
        names: matches!(
            verb.name,
            "choose" | "choose_or" | "choose_some" | "choose_together"
        )
        .then_some(domain::OPTION),
    }
}

/// Functions the kernel calls, and what it gives them.
fn called(definition: &Definition) -> HashMap<(String, usize), Called> {
    let player = || Known::of(&[types::PLAYER]);
    let prompt = || Known::of(&[Type::Str]).named(Some(domain::PROMPT));
    let any = Known::default;
    let mut called: HashMap<(String, usize), Called> = HashMap::new();
    let mut add_to = |name: &str, given: Vec<Known>, wanted: bool| {
        let key = (name.to_string(), given.len());
        let gives = None;
        called.insert(
            key,
            Called {
                given,
                wanted,
                gives,
            },
        );
    };
    add_to("setup", Vec::new(), false);
    add_to("ended", Vec::new(), false);
    add_to("imagine", vec![player()], false);
    add_to("left", vec![player()], false);
    add_to("read_position", vec![Known::of(&[Type::Str])], false);
    for phase in &definition.phases {
        let given = vec![player(); phase.each_player as usize];
        add_to(&phase.step.name, given, false);
    }
    let mut add = |name: &str, given: Vec<Known>| add_to(name, given, true);
    for card in &definition.cards {
        for value in &card.fields {
            if let FieldValue::Function(named) = value {
                for count in 0..=STEP_ARGUMENTS {
                    add(&named.name, vec![any(); count]);
                }
            }
        }
    }
    for name in ["score", "evaluate"] {
        add(name, vec![player()]);
    }
    add("prefer", vec![player(), prompt(), any()]);
    add("note_option", vec![player(), prompt(), any()]);
    add("figures", Vec::new());
    for view in ["table_view", "map_view"] {
        add(view, vec![player()]);
        add(view, vec![player(), prompt()]);
    }
    for metric in &definition.metrics {
        add(
            &metric.function.name,
            vec![player(); metric.of_player as usize],
        );
    }
    for invariant in &definition.invariants {
        add(&invariant.name, Vec::new());
    }
    for check in definition.kinds.iter().filter_map(|k| k.check.as_ref()) {
        add(&check.name, vec![Known::of(&[types::CARD])]);
    }
    for word in &definition.phrase_words {
        add(&word.function.name, vec![any(); word.parameters()]);
    }
    let metrics = definition.metrics.iter().map(|metric| {
        let players = metric.of_player as usize;
        (&*metric.function.name, players, number())
    });
    let invariants = definition.invariants.iter();
    let invariants = invariants.map(|named| (&*named.name, 0, truth()));
    let known = [
        ("score", 1, score()),
        ("evaluate", 1, number()),
        ("prefer", 3, weights()),
    ];
    for (name, count, gives) in metrics.chain(invariants).chain(known) {
        if let Some(called) = called.get_mut(&(name.to_string(), count)) {
            called.gives = Some(gives);
        }
    }
    called
}

fn number() -> MustGive {
    MustGive {
        what: "a number",
        types: vec![Type::Int],
        members: Vec::new(),
        one_length: false,
        or_nothing: false,
    }
}

fn truth() -> MustGive {
    MustGive {
        what: "true or false",
        types: vec![Type::Bool],
        ..number()
    }
}

fn score() -> MustGive {
    MustGive {
        what: "a number or a list of numbers",
        types: vec![Type::Int, Type::Array],
        members: vec![Type::Int],
        one_length: true,
        ..number()
    }
}

fn weights() -> MustGive {
    MustGive {
        what: "a list of numbers, or ()",
        types: vec![Type::Array],
        members: vec![Type::Int],
        or_nothing: true,
        ..number()
    }
}

/// A zone has an order, but it is no list.
fn not_lists() -> Vec<(TypeId, &'static str, String)> {
    let sorted = "`sort_zone(zone, \"..\")` sorts a zone by an attribute or field; `zone.pieces.order(..)` gives a sorted list";
    let kept = "`zone.pieces.filter(..)` gives a list; `move(piece, zone)` and `remove(piece)` take pieces away";
    let added = "`move(piece, zone)` and `create(card, zone)` put pieces there";
    let taken = "`draw(zone, to)` takes the top piece, `remove(piece)` any";
    let all: [(&[&'static str], &str); 4] = [
        (
            &["sort", "sort_by", "sort_desc", "reverse", "dedup"],
            sorted,
        ),
        (
            &["retain", "drain", "clear", "truncate", "chop", "splice"],
            kept,
        ),
        (&["push", "insert", "append", "pad", "set"], added),
        (&["pop", "shift", "remove"], taken),
    ];
    let of = |(methods, help): (&'static [&'static str], &str)| {
        let help = help.to_string();
        methods
            .iter()
            .map(move |method| (id(types::ZONE), *method, help.clone()))
            .collect::<Vec<_>>()
    };
    all.into_iter().flat_map(of).collect()
}
