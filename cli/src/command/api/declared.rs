//! What one game declares for its scripts: attributes, zones, kinds of cards, parameters, tables, dice.

use ludoteca::definition::{
    Attribute, AttributeType, Data, Definition, Field, FieldType, Per, PhraseWord, Visibility,
    ZoneOf,
};
use serde_json::{Value as Json, json};

/// Things with attributes, and how scripts write them.
fn attributes(definition: &Definition) -> [(&'static str, &[Attribute]); 4] {
    let declared = &definition.attributes;
    [
        ("game", &declared.game),
        ("player", &declared.player),
        ("space", &declared.space),
        ("piece", &declared.piece),
    ]
}

fn attribute_type(definition: &Definition, attribute: &Attribute) -> String {
    let words = |ids: &[u32]| {
        ids.iter()
            .map(|&id| definition.words[id as usize].as_str())
            .collect::<Vec<_>>()
            .join(" | ")
    };
    let ty = match &attribute.ty {
        AttributeType::Int => "int".to_string(),
        AttributeType::Bool => "bool".into(),
        AttributeType::Player => "player".into(),
        AttributeType::Space => "space".into(),
        AttributeType::Piece => "piece".into(),
        AttributeType::Card => "card".into(),
        AttributeType::Area => "area".into(),
        AttributeType::Word(ids) => format!("word: {}", words(ids)),
    };
    match &attribute.per {
        Per::One => ty,
        Per::Player => format!("{ty} per player"),
        Per::Word(ids) => format!("{ty} per {}", words(ids)),
        Per::Number(count) => format!("{count} × {ty}"),
    }
}

fn field_type(definition: &Definition, field: &Field) -> String {
    let words = |ids: &[u32]| {
        ids.iter()
            .map(|&id| definition.words[id as usize].as_str())
            .collect::<Vec<_>>()
            .join(" | ")
    };
    match &field.ty {
        FieldType::Int => "int".into(),
        FieldType::Bool => "bool".into(),
        FieldType::String => "string".into(),
        FieldType::Text => "text".into(),
        FieldType::Word(ids) if ids.is_empty() => "word".into(),
        FieldType::Word(ids) => format!("word: {}", words(ids)),
        FieldType::Words(ids) if ids.is_empty() => "words".into(),
        FieldType::Words(ids) => format!("words: {}", words(ids)),
        FieldType::Ints => "ints".into(),
        FieldType::Card => "card".into(),
        FieldType::Cards => "cards".into(),
        FieldType::Space => "space".into(),
        FieldType::Area => "area".into(),
        FieldType::Function => "function".into(),
        FieldType::Effect => "effect".into(),
        FieldType::Condition => "condition".into(),
        FieldType::Table => "table".into(),
    }
}

/// How a word is written in a card: `{ target = <condition>, then = <effect>, up_to = <int>? }`.
fn phrase(definition: &Definition, word: &PhraseWord) -> String {
    let name = &word.function.name;
    let parameter = |(index, (field, may_be_left_out)): (usize, &(Field, bool))| {
        let key = if index == 0 { name } else { &field.name };
        let mark = if *may_be_left_out { "?" } else { "" };
        format!("{key} = <{}>{mark}", field_type(definition, field))
    };
    let parameters: Vec<String> = word.takes.iter().enumerate().map(parameter).collect();
    match parameters.is_empty() {
        true => format!("`\"{name}\"`"),
        false => format!("`{{ {} }}`", parameters.join(", ")),
    }
}

fn seen_by(visible: Visibility) -> &'static str {
    match visible {
        Visibility::All => "all",
        Visibility::Owner => "owner",
        Visibility::Team => "team",
        Visibility::Nobody => "nobody",
    }
}

fn zone_of(of: ZoneOf) -> &'static str {
    match of {
        ZoneOf::Game => "game",
        ZoneOf::Player => "player",
        ZoneOf::Space => "space",
    }
}

/// Fields by what carries them: kinds of cards, then the map.
fn fields(definition: &Definition) -> Vec<(String, &[Field])> {
    let kinds = definition.kinds.iter().map(|kind| {
        (
            format!("card of kind {}", kind.name),
            kind.fields.as_slice(),
        )
    });
    let map = definition.map.iter().flat_map(|map| {
        [
            ("space", &map.space_fields),
            ("edge", &map.edge_fields),
            ("area", &map.area_fields),
        ]
        .map(|(on, fields)| (on.to_string(), fields.as_slice()))
    });
    kinds
        .chain(map)
        .filter(|(_, fields)| !fields.is_empty())
        .collect()
}

fn data(value: &Data) -> String {
    match value {
        Data::Bool(yes) => yes.to_string(),
        Data::Int(n) => n.to_string(),
        Data::Text(text) => format!("{text:?}"),
        Data::List(items) => format!(
            "[{}]",
            items.iter().map(data).collect::<Vec<_>>().join(", ")
        ),
        Data::Table(entries) => {
            let told: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key}: {}", data(value)))
                .collect();
            format!("{{ {} }}", told.join(", "))
        }
    }
}

/// The page of a game, in Markdown.
pub fn page(definition: &Definition) -> String {
    let mut page = format!("# What `{}` declares\n", definition.id);
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            page.push_str(&format!("\n## {title}\n\n"));
            lines
                .iter()
                .for_each(|line| page.push_str(&format!("- {line}\n")));
        }
    };
    for (on, declared) in attributes(definition) {
        let line = |attribute: &Attribute| {
            let text = attribute
                .text
                .as_ref()
                .map_or(String::new(), |text| format!(": {}", text.en));
            format!(
                "`{on}.{}` ({}, seen by {}){text}",
                attribute.name,
                attribute_type(definition, attribute),
                seen_by(attribute.visible)
            )
        };
        section(
            &format!("Attributes of the {on}"),
            declared.iter().map(line).collect(),
        );
    }
    let zone = |zone: &ludoteca::definition::Zone| {
        format!(
            "`{}.{}` (seen by {})",
            zone_of(zone.of),
            zone.name,
            seen_by(zone.visible)
        )
    };
    section("Zones", definition.zones.iter().map(zone).collect());
    for (on, declared) in fields(definition) {
        let line = |field: &Field| format!("`.{}` ({})", field.name, field_type(definition, field));
        section(
            &format!("Fields of a {on}"),
            declared.iter().map(line).collect(),
        );
    }
    for (title, conditions) in [("Effects of cards", false), ("Conditions of cards", true)] {
        let words = definition.phrase_words.iter();
        let words = words.filter(|word| word.is_condition == conditions);
        section(title, words.map(|word| phrase(definition, word)).collect());
    }
    let parameter = |p: &ludoteca::definition::Parameter| {
        let text = p
            .text
            .as_ref()
            .map_or(String::new(), |text| format!(": {}", text.en));
        format!(
            "`{}` = {} ({} to {}){text}",
            p.name.to_uppercase(),
            p.value,
            p.min,
            p.max
        )
    };
    section(
        "Parameters",
        definition.parameters.iter().map(parameter).collect(),
    );
    let table =
        |(name, value): (&String, &Data)| format!("`{}` = {}", name.to_uppercase(), data(value));
    section("Tables", definition.tables.iter().map(table).collect());
    let die = |die: &ludoteca::definition::Die| format!("`{}`: {:?}", die.name, die.faces);
    section("Dice", definition.dice.iter().map(die).collect());
    page
}

pub fn json(definition: &Definition) -> Json {
    let attributes: Vec<Json> = attributes(definition)
        .into_iter()
        .flat_map(|(on, declared)| declared.iter().map(move |attribute| (on, attribute)))
        .map(|(on, attribute)| {
            json!({
                "of": on,
                "name": attribute.name,
                "type": attribute_type(definition, attribute),
                "visible": seen_by(attribute.visible),
                "text": attribute.text,
            })
        })
        .collect();
    let zone = |zone: &ludoteca::definition::Zone| json!({ "of": zone_of(zone.of), "name": zone.name, "visible": seen_by(zone.visible) });
    let fields: Vec<Json> = fields(definition)
        .into_iter()
        .flat_map(|(on, declared)| declared.iter().map(move |field| (on.clone(), field)))
        .map(|(on, field)| json!({ "of": on, "name": field.name, "type": field_type(definition, field) }))
        .collect();
    let words = |conditions: bool| -> Vec<Json> {
        let words = definition.phrase_words.iter();
        let words = words.filter(|word| word.is_condition == conditions);
        words
            .map(|word| json!({ "name": word.function.name, "written": phrase(definition, word).trim_matches('`') }))
            .collect()
    };
    let parameter = |p: &ludoteca::definition::Parameter| json!({ "name": p.name.to_uppercase(), "value": p.value, "min": p.min, "max": p.max, "text": p.text });
    json!({
        "game": definition.id,
        "attributes": attributes,
        "zones": definition.zones.iter().map(zone).collect::<Vec<_>>(),
        "fields": fields,
        "effects": words(false),
        "conditions": words(true),
        "parameters": definition.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "tables": definition.tables.keys().map(|name| name.to_uppercase()).collect::<Vec<_>>(),
        "dice": definition.dice.iter().map(|die| json!({ "name": die.name, "faces": die.faces })).collect::<Vec<_>>(),
    })
}
