//! Everything scripts may name, for the executor's compiler: types, names, properties, verbs, constants.

use super::meaning::meaning;
use super::verbs::{self, Form};
use crate::content::definition::{
    Attribute, AttributeType, Data, Definition, Field, FieldType, FieldValue, ZoneOf,
};
use crate::model::value::{Val, handle};
use crate::table::Table;
use crate::table::game::attribute_class;
use crate::table::lexicon::{self, Lexicon, data_value, what};
use crate::table::types::{self, BUILT_IN, domain, slot};
use ludoteca_vm::{
    Access, ConstantDecl, Domain, DomainDecl, Interface, PropertyDecl, Type, TypeDecl, TypeId,
    Value,
};
use std::collections::{BTreeSet, HashMap};

/// Everything scripts may name, for the executor's compiler.
pub fn interface(definition: &Definition, lexicon: &mut Lexicon) -> Interface<Table> {
    let properties = properties(definition, lexicon);
    let first_open = lexicon.word_domains.len();
    let open = open_words(definition, lexicon);
    let type_decl = |(name, reprs, member, doc): (&str, Vec<_>, Type, &str)| TypeDecl {
        name: name.into(),
        reprs,
        member,
        doc: doc.into(),
    };
    let domains = (0..domain::FIRST_OF_WORDS + lexicon.word_domains.len() as u16)
        .map(|number| DomainDecl {
            what: domain_name(lexicon, Domain(number)),
            names: lexicon.names(definition, Domain(number)),
            literal_only: false,
            open: number as usize >= domain::FIRST_OF_WORDS as usize + first_open,
        })
        .collect();
    let functions = verbs::forms().iter().map(Form::declared).collect();
    let meaning = meaning(definition, lexicon, &properties, &open);
    Interface {
        types: types::all().into_iter().map(type_decl).collect(),
        domains,
        properties,
        functions,
        constants: constants(definition),
        words: (0..)
            .zip(&lexicon.words)
            .map(|(number, text)| (text.to_string(), Value::Handle(handle::WORD, number)))
            .collect(),
        map_keys: map_keys(definition),
        meaning: Some(meaning),
    }
}

fn domain_name(lexicon: &Lexicon, of: Domain) -> String {
    match of.0.checked_sub(domain::FIRST_OF_WORDS) {
        Some(n) => format!("word of `{}`", lexicon.word_domains[n as usize].0),
        None => what(of).to_string(),
    }
}

fn constants(definition: &Definition) -> Vec<ConstantDecl<Table>> {
    let mut constants = vec![constant(
        "game",
        Value::Handle(handle::GAME, 0),
        "the game as a whole",
    )];
    for parameter in &definition.parameters {
        let doc = parameter.text.as_ref().map_or("", |t| &t.en);
        constants.push(constant(
            &parameter.name.to_uppercase(),
            match parameter.is_flag {
                true => Value::Bool(parameter.value != 0),
                false => Value::Int(parameter.value),
            },
            doc,
        ));
    }
    for (name, data) in &definition.tables {
        constants.push(constant(&name.to_uppercase(), data_value(data), "a table"));
    }
    constants
}

fn constant(name: &str, value: Val, doc: &str) -> ConstantDecl<Table> {
    ConstantDecl {
        name: name.into(),
        value,
        doc: doc.into(),
    }
}

/// Keys inside fields of type `table`, which scripts read as properties of maps.
fn map_keys(definition: &Definition) -> Vec<String> {
    fn collect(data: &Data, keys: &mut BTreeSet<String>) {
        match data {
            Data::Table(entries) => {
                for (key, value) in entries {
                    keys.insert(key.clone());
                    collect(value, keys);
                }
            }
            Data::List(items) => items.iter().for_each(|item| collect(item, keys)),
            _ => {}
        }
    }
    // What `choose_action` gives.
    let mut keys = BTreeSet::from(["action".to_string(), "on".to_string()]);
    let map = definition.map.iter();
    let map_fields = map.flat_map(|m| {
        let spaces = m.spaces.iter().flat_map(|s| &s.fields);
        spaces
            .chain(m.edges.iter().flat_map(|e| &e.fields))
            .chain(m.areas.iter().flat_map(|a| &a.fields))
    });
    for value in definition
        .cards
        .iter()
        .flat_map(|c| &c.fields)
        .chain(map_fields)
    {
        if let FieldValue::Table(data) = value {
            collect(data, &mut keys);
        }
    }
    definition
        .tables
        .values()
        .for_each(|data| collect(data, &mut keys));
    keys.into_iter().collect()
}

fn properties(definition: &Definition, lexicon: &mut Lexicon) -> Vec<PropertyDecl<Table>> {
    let mut all: Vec<PropertyDecl<Table>> = Vec::new();
    for (index, (on, name, ty, writable, doc)) in BUILT_IN.iter().enumerate() {
        let slot = slot::of(slot::BUILT_IN, index as u16);
        all.push(property(*on, name, *ty, None, slot, *writable, doc));
    }
    let attributes = &definition.attributes;
    for (on, declared) in [
        (types::GAME, &attributes.game),
        (types::PLAYER, &attributes.player),
        (types::SPACE, &attributes.space),
        (types::PIECE, &attributes.piece),
    ] {
        for (index, attribute) in declared.iter().enumerate() {
            all.push(attribute_property(on, index, attribute, lexicon));
        }
    }
    for (index, zone) in definition.zones.iter().enumerate() {
        let on = match zone.of {
            ZoneOf::Game => types::GAME,
            ZoneOf::Player => types::PLAYER,
            ZoneOf::Space => types::SPACE,
        };
        all.push(property(
            on,
            &zone.name,
            types::ZONE,
            None,
            slot::of(slot::ZONE, index as u16),
            false,
            "a zone",
        ));
    }
    for (index, name) in lexicon.card_fields.clone().iter().enumerate() {
        let declared: Vec<&Field> = definition
            .kinds
            .iter()
            .flat_map(|k| &k.fields)
            .filter(|f| f.name == *name)
            .collect();
        let (ty, names) = field_type(&declared, lexicon);
        for on in [types::PIECE, types::CARD] {
            all.push(property(
                on,
                name,
                ty,
                names,
                slot::of(slot::FIELD, index as u16),
                false,
                "a field of its card",
            ));
        }
    }
    if let Some(map) = &definition.map {
        for (on, fields) in [
            (types::SPACE, &map.space_fields),
            (types::EDGE, &map.edge_fields),
            (types::AREA, &map.area_fields),
        ] {
            for (index, field) in fields.iter().enumerate() {
                let (ty, names) = field_type(&[field], lexicon);
                all.push(property(
                    on,
                    &field.name,
                    ty,
                    names,
                    slot::of(slot::FIELD, index as u16),
                    false,
                    "a field of the map",
                ));
            }
        }
    }
    all
}

fn property(
    on: Type,
    name: &str,
    ty: Type,
    names: Option<Domain>,
    slot: u16,
    writable: bool,
    doc: &str,
) -> PropertyDecl<Table> {
    let on = match on {
        Type::Host(id) => id,
        _ => TypeId(0),
    };
    PropertyDecl {
        on,
        name: name.into(),
        ty,
        names,
        access: Access::Slot { slot, writable },
        doc: doc.into(),
    }
}

fn attribute_property(
    on: Type,
    index: usize,
    attribute: &Attribute,
    lexicon: &mut Lexicon,
) -> PropertyDecl<Table> {
    let (class, ty) = attribute_class(attribute);
    let names = match &attribute.ty {
        AttributeType::Word(words) => Some(lexicon.word_domain(&attribute.name, words)),
        _ => None,
    };
    let doc = attribute.text.as_ref().map_or("", |t| &t.en);
    property(
        on,
        &attribute.name,
        ty,
        names,
        slot::of(class, index as u16),
        !matches!(class, slot::ROW | slot::FLAGS),
        doc,
    )
}
/// The type scripts may rely on, if all declarations of the field agree; and the words it may hold.
fn field_type(declared: &[&Field], lexicon: &mut Lexicon) -> (Type, Option<Domain>) {
    let mut words: BTreeSet<u32> = BTreeSet::new();
    let mut open = false;
    for field in declared {
        if let FieldType::Word(allowed) | FieldType::Words(allowed) = &field.ty {
            open |= allowed.is_empty();
            words.extend(allowed);
        }
    }
    let all_words = declared.iter().all(|f| matches!(f.ty, FieldType::Word(_)));
    let all_lists = declared.iter().all(|f| matches!(f.ty, FieldType::Words(_)));
    let names = ((all_words || all_lists) && !open).then(|| {
        let words: Vec<u32> = words.into_iter().collect();
        lexicon.word_domain(&declared[0].name, &words)
    });
    (Type::Any, names)
}
/// The words that stand in fields which may hold any word, by the type that has the field and its name: packs may bring others.
fn open_words(definition: &Definition, lexicon: &mut Lexicon) -> HashMap<(TypeId, String), Domain> {
    let kinds = definition.kinds.iter().flat_map(|kind| &kind.fields);
    let of_cards = lexicon.card_fields.iter().enumerate().map(|(at, name)| {
        let all: Vec<&Field> = kinds.clone().filter(|f| f.name == *name).collect();
        (
            vec![types::PIECE, types::CARD],
            all,
            lexicon.card_values[at].clone(),
        )
    });
    let mut columns: Vec<(Vec<Type>, Vec<&Field>, Vec<Val>)> = of_cards.collect();
    if let Some(map) = &definition.map {
        for (on, fields, values) in [
            (types::SPACE, &map.space_fields, &lexicon.space_values),
            (types::EDGE, &map.edge_fields, &lexicon.edge_values),
            (types::AREA, &map.area_fields, &lexicon.area_values),
        ] {
            let each = fields.iter().zip(values);
            columns.extend(each.map(|(field, column)| (vec![on], vec![field], column.clone())));
        }
    }
    let mut found = HashMap::new();
    for (on, declared, column) in columns {
        let open = |field: &&Field| matches!(&field.ty, FieldType::Word(w) | FieldType::Words(w) if w.is_empty());
        if declared.is_empty() || !declared.iter().all(open) {
            continue;
        }
        let words: BTreeSet<u32> = column.iter().flat_map(words_in).collect();
        let words: Vec<u32> = words.into_iter().collect();
        let domain = lexicon.word_domain(&declared[0].name, &words);
        for ty in on {
            if let Type::Host(id) = ty {
                found.insert((id, declared[0].name.clone()), domain);
            }
        }
    }
    found
}

/// The words a value is or lists.
fn words_in(value: &Val) -> Vec<u32> {
    match value {
        Value::Handle(handle::WORD, word) => vec![*word],
        Value::Array(items) => items.iter().flat_map(words_in).collect(),
        _ => Vec::new(),
    }
}

/// The pages of the API reference come from the same declarations.
pub fn describe_domain(of: Domain) -> &'static str {
    lexicon::what(of)
}
