//! A variant as a sparse file: one value more, less or otherwise, and everything else as somebody wrote it, comments and all.

use toml_edit::{DocumentMut, Item, Key, RawString, TableLike, Value, table};

/// Why a text cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    #[error("the file is not TOML as it stands")]
    NotToml,
    #[error("`{0}` is not a value")]
    NotAValue(String),
    #[error("`set` is no table")]
    NoTable,
    #[error("there is nothing that `{0}` could be written into")]
    Nowhere(String),
}

/// A variant that changes nothing yet.
pub fn begun(name: &str) -> String {
    let mut title: String = name.replace('-', " ");
    if let Some(first) = title.get(..1) {
        title = first.to_uppercase() + &title[1..];
    }
    format!(
        "title = {{ es = \"{title}\", en = \"{title}\" }}\nsummary = {{ es = \"Del taller: solo lo que cambia.\", en = \"From the workbench: only what changes.\" }}\n\n[set]\n"
    )
}

/// The text with a value set, or without it if there is none to set.
pub fn with(text: &str, key: &str, value: Option<&str>) -> Result<String, NotWritten> {
    let mut file: DocumentMut = text.parse().map_err(|_| NotWritten::NotToml)?;
    let value = value.map(read_value).transpose()?;
    let set = file.entry("set").or_insert_with(table);
    let set = set.as_table_like_mut().ok_or(NotWritten::NoTable)?;
    match (value, place(set, key)) {
        (Some(value), Some(there)) => {
            let mut value = value;
            if let Some(before) = there.as_value() {
                // What stands behind a value on its line stays.
                *value.decor_mut() = before.decor().clone();
            }
            *there = Item::Value(value);
        }
        (Some(value), None) => {
            let written: Key = format!("{key:?}").parse().unwrap_or_else(|_| Key::new(key));
            set.entry_format(&written).or_insert(Item::Value(value));
        }
        (None, _) => remove(set, key),
    }
    Ok(file.to_string())
}

/// What is set at a key, as it is written; nothing if it is not.
pub fn value(text: &str, key: &str) -> Result<Option<String>, NotWritten> {
    let mut file: DocumentMut = text.parse().map_err(|_| NotWritten::NotToml)?;
    let set = file.get_mut("set").and_then(Item::as_table_like_mut);
    let there = set.and_then(|set| place(set, key));
    Ok(there.map(|item| {
        let mut item = item.clone();
        // What stands behind it on its line is no part of it.
        if let Some(value) = item.as_value_mut() {
            value.decor_mut().clear();
        }
        item.to_string().trim().to_string()
    }))
}

/// The text with a value more in a table that is there, such as a card.
pub fn given(text: &str, key: &str, value: &str) -> Result<String, NotWritten> {
    let mut file: DocumentMut = text.parse().map_err(|_| NotWritten::NotToml)?;
    let value = read_value(value)?;
    let nowhere = || NotWritten::Nowhere(key.to_string());
    let (parent, name) = key.rsplit_once('.').ok_or_else(nowhere)?;
    let table = place(file.as_table_mut(), parent).and_then(Item::as_table_like_mut);
    let table = table.ok_or_else(nowhere)?;
    // In one line the blank behind the last value goes behind the new one.
    let last = table.iter_mut().last();
    if let Some(Item::Value(last)) = last.map(|(_, item)| item)
        && last
            .decor()
            .suffix()
            .is_some_and(|blank| blank.as_str() == Some(" "))
    {
        last.decor_mut().set_suffix("");
    }
    table.insert(name, Item::Value(value));
    Ok(file.to_string())
}

fn read_value(text: &str) -> Result<Value, NotWritten> {
    let wrong = || NotWritten::NotAValue(text.to_string());
    let mut value: Value = text.trim().parse().map_err(|_| wrong())?;
    value.decor_mut().clear();
    value.decor_mut().set_prefix(RawString::from(" "));
    Ok(value)
}

/// Where a dotted key is written: in quotes, or as tables in tables.
fn place<'t>(set: &'t mut dyn TableLike, key: &str) -> Option<&'t mut Item> {
    if set.contains_key(key) {
        return set.get_mut(key);
    }
    let cuts: Vec<usize> = key.match_indices('.').map(|(at, _)| at).collect();
    let inside = |set: &dyn TableLike, at: usize| -> bool {
        let below = set.get(&key[..at]).and_then(Item::as_table_like);
        below.is_some_and(|below| holds(below, &key[at + 1..]))
    };
    let at = cuts.into_iter().find(|&at| inside(set, at))?;
    let below = set.get_mut(&key[..at])?.as_table_like_mut()?;
    place(below, &key[at + 1..])
}

fn holds(set: &dyn TableLike, key: &str) -> bool {
    set.contains_key(key)
        || key.match_indices('.').any(|(at, _)| {
            let below = set.get(&key[..at]).and_then(Item::as_table_like);
            below.is_some_and(|below| holds(below, &key[at + 1..]))
        })
}

fn remove(set: &mut dyn TableLike, key: &str) {
    if set.remove(key).is_some() {
        return;
    }
    let cuts: Vec<usize> = key.match_indices('.').map(|(at, _)| at).collect();
    for at in cuts {
        let (first, rest) = (&key[..at], &key[at + 1..]);
        let Some(below) = set.get_mut(first).and_then(Item::as_table_like_mut) else {
            continue;
        };
        if holds(below, rest) {
            remove(below, rest);
            if below.is_empty() {
                set.remove(first);
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Mine.\ntitle = { es = \"A\", en = \"A\" }\n\n[set]\n\"prices.unit\" = 3   # cheap\nprices.wall.wood = 2\n# the end\n";

    #[test]
    fn everything_else_stays_as_it_was_written() {
        let changed = with(FILE, "prices.unit", Some("5")).unwrap();
        assert_eq!(changed, FILE.replace("= 3   #", "= 5   #"));
        let changed = with(FILE, "prices.wall.wood", Some("[1, 2]")).unwrap();
        assert_eq!(changed, FILE.replace("wood = 2", "wood = [1, 2]"));
        let more = with(FILE, "rounds", Some("8")).unwrap();
        assert!(
            more.contains("\"rounds\" = 8\n") && more.contains("# cheap"),
            "{more}"
        );
        let dotted = with(FILE, "upkeep.energy", Some("1")).unwrap();
        assert!(dotted.contains("\"upkeep.energy\" = 1\n"), "{dotted}");
    }

    #[test]
    fn a_value_more_is_written_into_the_table_it_belongs_to() {
        let file =
            "kind = \"a\"\n\n# One.\n[cards.one]\nworth = 1 # so\n\n[cards.two]\nworth = 2\n";
        let more = given(file, "cards.one.copies", "4").unwrap();
        assert_eq!(more, file.replace("# so\n", "# so\ncopies = 4\n"));
        let inline = given("[cards]\none = { worth = 1 }\n", "cards.one.copies", "4").unwrap();
        assert!(inline.contains("worth = 1, copies = 4"), "{inline}");
        assert!(given(file, "cards.three.copies", "4").is_err());
    }

    #[test]
    fn what_is_as_in_the_base_is_not_written() {
        let without = with(FILE, "prices.unit", None).unwrap();
        assert!(!without.contains("prices.unit") && without.starts_with("# Mine."));
        let without = with(FILE, "prices.wall.wood", None).unwrap();
        assert!(!without.contains("wood"), "{without}");
        assert_eq!(with(FILE, "nothing.here", None).unwrap(), FILE);
    }

    #[test]
    fn what_is_set_is_read() {
        for (key, expected) in [
            ("prices.unit", Some("3")),
            ("prices.wall.wood", Some("2")),
            ("rounds", None),
        ] {
            let found = value(FILE, key).unwrap();
            assert_eq!(found.as_deref(), expected, "{key}");
        }
        assert_eq!(value("", "rounds"), Ok(None));
        assert_eq!(value("x = = 1", "a"), Err(NotWritten::NotToml));
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        assert_eq!(with("x = = 1", "a", Some("1")), Err(NotWritten::NotToml));
        let wrong = NotWritten::NotAValue("1 2".into());
        assert_eq!(with(FILE, "a", Some("1 2")), Err(wrong));
        assert_eq!(with("set = 1\n", "a", Some("1")), Err(NotWritten::NoTable));
        assert!(begun("my-fleet").starts_with("title = { es = \"My fleet\""));
        assert!(
            with(&begun("x"), "a.b", Some("true"))
                .unwrap()
                .ends_with("[set]\n\"a.b\" = true\n")
        );
    }
}
