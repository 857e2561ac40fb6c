//! Calls that are spelt right and cannot do what they say: attributes of another kind, words that do not exist, texts whose braces stay
//! open. What is known of the arguments is enough; the same is asked again when the rules run.

use super::fillings::{DETAIL, TEXTS};
use super::verbs::by_number_of_players;
use crate::content::definition::{Attribute, Attributes, Definition, Field, Map, Text, Texts};
use crate::content::wording;
use crate::model::value::Val;
use crate::table::Table;
use crate::table::fit;
use crate::table::lexicon::Lexicon;
use crate::table::types;
use ludoteca_vm::{Code, Known, Said, Seen, SeenArg, Type, Value, nearest};
use std::collections::{BTreeMap, BTreeSet};

/// What has to be known of a game to look at its scripts' calls.
pub struct CallJudge {
    attributes: Attributes,
    card_fields: Vec<Field>,
    map: Option<Map>,
    space_values: Vec<Vec<Val>>,
    edge_values: Vec<Vec<Val>>,
    texts: Texts,
    words: Lexicon,
    /// The fewest and the most players.
    players: (u8, u8),
    /// Zones that are kept in an order, and what by.
    sorted: BTreeMap<String, String>,
}

/// Sections of texts that calls fill.
const LOG: &str = TEXTS[0];
const PROMPT: &str = TEXTS[1];

/// Arguments that are a number of things, of which there cannot be fewer than none.
const AMOUNTS: &[(&str, usize)] = &[
    ("draw", 2),
    ("first", 1),
    ("within", 1),
    ("step", 2),
    ("choose_some", 3),
    ("choose_some", 4),
];

impl CallJudge {
    pub fn new(definition: &Definition, lexicon: &Lexicon) -> CallJudge {
        let kinds = definition.kinds.iter();
        let map = definition.map.as_ref().map(|map| Map {
            space_fields: map.space_fields.clone(),
            edge_fields: map.edge_fields.clone(),
            ..Map::default()
        });
        CallJudge {
            attributes: definition.attributes.clone(),
            card_fields: kinds.flat_map(|kind| kind.fields.clone()).collect(),
            map,
            space_values: lexicon.space_values.clone(),
            edge_values: lexicon.edge_values.clone(),
            texts: definition.texts.clone(),
            words: lexicon.only_words(),
            players: definition.players,
            sorted: definition
                .zones
                .iter()
                .filter_map(|zone| Some((zone.name.clone(), zone.sorted.as_ref()?.name.clone())))
                .collect(),
        }
    }

    pub fn call(&self, seen: &Seen<'_, Table>) -> Vec<Said> {
        let args = &seen.args[..];
        let mut said: Vec<Said> = match (seen.function, args) {
            ("with_value", [name, value]) => self.attribute_is(name, value, 1),
            ("with_value" | "set_all", [_, name, value]) => self.attribute_is(name, value, 2),
            ("at_least" | "at_most", [set, name, _]) => self.counted(set, name, 1),
            ("sum" | "highest" | "lowest", [set, name]) => self.counted(set, name, 1),
            ("sum", [_, name, _]) => self.is_row(name),
            ("by_players", [list]) => self.for_all_players(list),
            ("ranked", [set, names @ ..]) => {
                let each = names.iter().enumerate();
                each.flat_map(|(n, name)| self.counted(set, name, n + 1))
                    .collect()
            }
            ("spaces_where", [field, value]) => {
                let fields = self.map.as_ref().map(|map| &map.space_fields);
                self.field_is(fields, &self.space_values, field, value)
            }
            ("edges_where", [field, value]) => {
                let fields = self.map.as_ref().map(|map| &map.edge_fields);
                self.field_is(fields, &self.edge_values, field, value)
            }
            ("draw" | "move_all", [from, to, ..]) => same_zone(from, to),
            ("shuffle" | "sort_zone", [zone, ..]) => self.stays_sorted(zone),
            ("say" | "text", [key, ..]) => self.filled(LOG, key, 0, args),
            ("tell", [_, key, ..]) => self.filled(LOG, key, 1, args),
            (
                "choose" | "choose_or" | "choose_some" | "choose_amount" | "choose_yes"
                | "choose_together",
                [_, key, ..],
            ) => {
                let mut said = self.filled(PROMPT, key, 1, args);
                said.extend(self.words_have_texts(seen.function, args));
                said.extend(listed_twice(seen.function, args));
                said
            }
            ("choose_action", [_, key, actions, details @ ..]) => {
                // Without details what may be done is the last argument, and fills nothing.
                let given = if details.is_empty() { &args[..2] } else { args };
                let mut said = self.filled(PROMPT, key, 1, given);
                said.extend(self.actions_of(key, actions));
                said
            }
            _ => Vec::new(),
        };
        for (name, n) in AMOUNTS {
            if *name == seen.function
                && let Some(Value::Int(number)) = args.get(*n).and_then(|a| a.value.as_ref())
                && *number < 0
            {
                let message = format!("{number} cannot be asked for");
                said.push(wrong(Code::TypeMismatch, *n, message));
            }
        }
        said
    }

    /// `with_value("owner", p)`: the attribute can be that.
    fn attribute_is(&self, name: &SeenArg<Table>, value: &SeenArg<Table>, at: usize) -> Vec<Said> {
        let attributes = &self.attributes.space;
        let Some(attribute) = literal(name).and_then(|name| found(attributes, name)) else {
            return Vec::new();
        };
        if let Some(known) = &value.value {
            let fits = fit::stored(attribute, known, &self.words);
            return fits.err().map(|why| misfit(why, at)).into_iter().collect();
        }
        if let Some(texts) = &value.texts
            && value.known.types == [Type::Str]
        {
            let each = texts.iter().map(|text| Value::string(text.as_str()));
            let wrong = each.filter_map(|text| fit::stored(attribute, &text, &self.words).err());
            return wrong.take(1).map(|why| misfit(why, at)).collect();
        }
        types_fit(
            &value.known,
            |ty| fit::attribute_type_fits(attribute, ty),
            at,
        )
    }

    /// `spaces_where("ground", "rock")`: the field can be that.
    fn field_is(
        &self,
        fields: Option<&Vec<Field>>,
        values: &[Vec<Val>],
        name: &SeenArg<Table>,
        value: &SeenArg<Table>,
    ) -> Vec<Said> {
        let name = literal(name);
        let at = name.and_then(|name| fields?.iter().position(|f| f.name == name));
        let (Some(fields), Some(at)) = (fields, at) else {
            return Vec::new();
        };
        let fits = |value: &Val| fit::field_fits(&fields[at], &values[at], value, &self.words);
        let texts = value.texts.iter().flatten();
        let texts = texts.map(|text| Value::string(text.as_str()));
        let known: Vec<Val> = match &value.value {
            Some(known) => vec![known.clone()],
            None if value.known.types == [Type::Str] => texts.collect(),
            None => {
                let types = fit::field_types(&fields[at].ty);
                let fits = |ty: Type| match types.contains(&ty) || types.contains(&Type::Any) {
                    true => Ok(()),
                    false => Err(format!("`{}` is never equal to this", fields[at].name)),
                };
                return types_fit(&value.known, fits, 1);
            }
        };
        let wrong = known.iter().filter_map(|value| fits(value).err());
        wrong.take(1).map(|why| misfit(why, 1)).collect()
    }

    /// `sum(spaces(), "armies")`: one number, for whatever the members are.
    fn counted(&self, set: &SeenArg<Table>, name: &SeenArg<Table>, at: usize) -> Vec<Said> {
        let Some(name) = literal(name) else {
            return Vec::new();
        };
        let members = set.known.member.iter().flat_map(|m| m.types.iter());
        let of: Vec<Type> = members.chain(&set.known.types).copied().collect();
        let asked = |ty: Type| of.is_empty() || of.contains(&ty);
        let mut why = None;
        let owners: [(Type, &[Attribute]); 3] = [
            (types::SPACE, &self.attributes.space),
            (types::PLAYER, &self.attributes.player),
            (types::PIECE, &self.attributes.piece),
        ];
        for (ty, attributes) in owners.into_iter().filter(|(ty, _)| asked(*ty)) {
            match found(attributes, name).map(fit::is_number) {
                Some(Ok(())) => return Vec::new(),
                Some(Err(wrong)) => why = why.or(Some(wrong)),
                None => {
                    let fields = match ty {
                        types::SPACE => self.map.as_ref().map(|map| &map.space_fields[..]),
                        types::PIECE => Some(&self.card_fields[..]),
                        _ => None,
                    };
                    let fields = fields.into_iter().flatten();
                    for field in fields.filter(|field| field.name == name) {
                        match fit::field_is_number(field) {
                            Ok(()) => return Vec::new(),
                            Err(wrong) => why = why.or(Some(wrong)),
                        }
                    }
                }
            }
        }
        if asked(types::CARD) && self.card_fields.iter().any(|f| f.name == name) && why.is_none() {
            return Vec::new();
        }
        why.map(|why| misfit(why, at)).into_iter().collect()
    }

    /// `sum(spaces(), "authority", p)`: something that is kept in rows.
    fn is_row(&self, name: &SeenArg<Table>) -> Vec<Said> {
        let all = &self.attributes;
        let all = [&all.space, &all.player, &all.piece].into_iter().flatten();
        let named = literal(name).unwrap_or_default();
        let mut wrong = None;
        for attribute in all.filter(|attribute| attribute.name == named) {
            match fit::is_row(attribute) {
                Ok(()) => return Vec::new(),
                Err(why) => wrong = Some(misfit(why, 1)),
            }
        }
        wrong.into_iter().collect()
    }

    /// `by_players(TABLE)`: there is something for every number of players.
    fn for_all_players(&self, list: &SeenArg<Table>) -> Vec<Said> {
        let Some(list) = &list.value else {
            return Vec::new();
        };
        let (fewest, most) = self.players;
        let nothing = |&players: &u8| by_number_of_players(list, players, fewest).is_none();
        let said = (fewest..=most)
            .find(nothing)
            .map(|players| misfit(format!("the table has nothing for {players} players"), 0));
        said.into_iter().collect()
    }

    /// `shuffle(zone)`: not one that is kept in an order.
    fn stays_sorted(&self, zone: &SeenArg<Table>) -> Vec<Said> {
        let name = zone.property.as_ref().filter(|_| is_zone(zone));
        let order = name.and_then(|name| self.sorted.get_key_value(name));
        let said = order.map(|(name, by)| {
            misfit(
                format!("`{name}` is kept in the order of `{by}`, which this would undo"),
                0,
            )
        });
        said.into_iter().collect()
    }

    /// A text whose braces are filled by the details of the call, which are its last argument.
    fn filled(
        &self,
        section: &str,
        key: &SeenArg<Table>,
        at: usize,
        args: &[SeenArg<Table>],
    ) -> Vec<Said> {
        let texts = match section {
            LOG => &self.texts.log,
            _ => &self.texts.prompt,
        };
        let keys = written_down(key).into_iter();
        let all = keys.filter_map(|key| Some((key, texts.get(key)?)));
        all.flat_map(|(key, text)| left_open(texts, (section, key), text, at, args))
            .collect()
    }

    /// `choose_action(p, "attack", #{ .. })`: what the prompt says may be done there.
    fn actions_of(&self, prompt: &SeenArg<Table>, given: &SeenArg<Table>) -> Vec<Said> {
        let Some(prompt) = literal(prompt) else {
            return Vec::new();
        };
        let manner = self.texts.manners.get(prompt);
        let declared = manner.map_or(&[][..], |manner| &manner.actions[..]);
        if declared.is_empty() {
            let message = format!("the prompt `{prompt}` does not say what may be done there");
            let mut said = wrong(Code::UnknownName, 1, message);
            said.help = Some(
                "write `actions = [\"..\"]` beside its text, in the order they are offered in"
                    .into(),
            );
            return vec![said];
        }
        let keys = given.keys.iter().flatten();
        let unknown = keys.filter(|key| !declared.contains(key)).map(|key| {
            let message = format!("`{key}` is not one of the actions of the prompt `{prompt}`");
            let mut said = wrong(Code::UnknownKey, 2, message);
            said.help = nearest(key, declared).map(|near| format!("did you mean `{near}`?"));
            said
        });
        unknown.collect()
    }

    /// Words that are offered have a text.
    fn words_have_texts(&self, function: &str, args: &[SeenArg<Table>]) -> Vec<Said> {
        let mut said = Vec::new();
        for &n in lists_of_options(function) {
            let Some(arg) = args.get(n) else { continue };
            if arg.known.types != [Type::Array] {
                continue;
            }
            let texts = arg.texts.iter().flatten();
            for word in texts.filter(|word| !self.texts.option.contains_key(*word)) {
                let message = format!("the option `{word}` has no text");
                let mut problem = wrong(Code::UnknownName, n, message);
                problem.name = Some(word.clone());
                problem.of = Some("option".to_string());
                let known: Vec<String> = self.texts.option.keys().cloned().collect();
                problem.help = Some(match nearest(word, &known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "write it in the section [option] of the texts".to_string(),
                });
                said.push(problem);
            }
        }
        said
    }
}

/// What of a text stays open: braces that the details of a call, its last argument, do not fill.
fn left_open(
    texts: &BTreeMap<String, Text>,
    (section, key): (&str, &str),
    text: &Text,
    at: usize,
    args: &[SeenArg<Table>],
) -> Option<Said> {
    let last = args.len() - 1;
    let details = &args[last];
    let empty = Vec::new();
    let keys = match (&details.keys, &details.known.types[..]) {
        (Some(keys), _) => keys,
        (None, [Type::Map]) => return None,
        // What may be a map may have the key.
        (None, types) if last > at && (types.is_empty() || types.contains(&Type::Map)) => {
            return None;
        }
        _ => &empty,
    };
    let name = braces(text).find(|name| !keys.iter().any(|key| key == name))?;
    let message =
        format!("the text `{key}` has `{{{name}}}`, which the details of this call do not fill");
    let arg = if keys.is_empty() { at } else { last };
    let mut said = wrong(Code::UnknownKey, arg, message);
    said.name = Some(key.to_string());
    let help = match nearest(name, keys) {
        Some(near) if is_slip_of_the_text(texts, text, name, near) => {
            said.of = Some(format!("{section}/{name}"));
            format!("did you mean `{near}`?")
        }
        Some(near) => {
            if !braces(text).any(|brace| brace == near) {
                said.of = Some(format!("{DETAIL}/{near}"));
            }
            format!("is `{near}` meant to be `{name}`?")
        }
        None => format!("give it: `#{{ {name}: .. }}`"),
    };
    said.help = Some(help);
    Some(said)
}

/// Whether a brace is misspelt in the text, and not the detail that should fill it: the other language has it right, or other texts do.
fn is_slip_of_the_text(
    texts: &BTreeMap<String, Text>,
    text: &Text,
    name: &str,
    near: &str,
) -> bool {
    let has = |text: &str, name: &str| wording::names(text).any(|brace| brace == name);
    if has(&text.es, name) != has(&text.en, name) {
        return true;
    }
    let others = |name: &str| {
        let mut others = texts.values().filter(|other| *other != text);
        others.any(|other| braces(other).any(|brace| brace == name))
    };
    others(near) && !others(name)
}

/// Which arguments of a function that asks may list what is offered.
fn lists_of_options(function: &str) -> &'static [usize] {
    match function {
        "choose_or" => &[2, 3],
        "choose" | "choose_some" | "choose_together" => &[2],
        _ => &[],
    }
}

/// `choose(p, "trade", ["coal", "iron", "coal"])`: people would see the same line twice, and who chooses at random takes it twice as often.
fn listed_twice(function: &str, args: &[SeenArg<Table>]) -> Vec<Said> {
    let mut listed: BTreeSet<String> = BTreeSet::new();
    let mut said = Vec::new();
    for &n in lists_of_options(function) {
        let options = match args.get(n).and_then(|arg| arg.value.as_ref()) {
            Some(Value::Array(options)) => &options[..],
            Some(word @ Value::Str(_)) => std::slice::from_ref(word),
            _ => continue,
        };
        for option in options {
            let word = match option {
                Value::Str(word) => word.to_string(),
                Value::Int(number) => number.to_string(),
                _ => continue,
            };
            if let Some(word) = listed.replace(word) {
                said.push(misfit(format!("the option `{word}` is listed twice"), n));
            }
        }
    }
    said
}

/// The names in braces of a text, in both languages.
pub fn braces(text: &Text) -> impl Iterator<Item = &str> {
    [&text.es, &text.en]
        .into_iter()
        .flat_map(|text| wording::names(text))
}

/// `draw(deck, hand)`: from one zone to another.
fn same_zone(from: &SeenArg<Table>, to: &SeenArg<Table>) -> Vec<Said> {
    let written = from.written.as_ref().filter(|_| is_zone(from));
    let same = written.filter(|path| to.written.as_ref() == Some(path));
    let said = same.map(|path| misfit(format!("`{path}` cannot be drawn from and to"), 1));
    said.into_iter().collect()
}

fn is_zone(arg: &SeenArg<Table>) -> bool {
    arg.known.types == [types::ZONE]
}

/// The texts an argument may be, if they are written down.
fn written_down(arg: &SeenArg<Table>) -> Vec<&str> {
    match (literal(arg), &arg.texts) {
        (Some(text), _) => vec![text],
        (None, Some(texts)) if arg.known.types == [Type::Str] => {
            texts.iter().map(String::as_str).collect()
        }
        _ => Vec::new(),
    }
}

fn literal(arg: &SeenArg<Table>) -> Option<&str> {
    match &arg.value {
        Some(Value::Str(text)) => Some(text),
        _ => None,
    }
}

fn found<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|a| a.name == name)
}

/// A value of which only the types are known: one of them must fit.
fn types_fit(known: &Known, fits: impl Fn(Type) -> Result<(), String>, at: usize) -> Vec<Said> {
    let mut why = None;
    for ty in &known.types {
        match fits(*ty) {
            Ok(()) => return Vec::new(),
            Err(wrong) => why = why.or(Some(wrong)),
        }
    }
    why.map(|why| misfit(why, at)).into_iter().collect()
}

fn wrong(code: Code, arg: usize, message: String) -> Said {
    Said {
        code,
        arg,
        name: None,
        of: None,
        message,
        help: None,
    }
}

fn misfit(message: String, arg: usize) -> Said {
    wrong(Code::TypeMismatch, arg, message)
}
