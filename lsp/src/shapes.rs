//! Keys of TOML files: what may stand in a table, what it means and which words a value may be, from the schemas.

use ludoteca::{file_kinds, kind_of};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// What is known of a key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Key {
    pub doc: String,
    pub is_required: bool,
}

/// The schema of a file and a way into it.
pub struct SchemaShape {
    root: &'static Value,
    /// All that may stand here: a schema may offer several forms.
    here: Vec<&'static Value>,
}

impl SchemaShape {
    /// The shape of a whole file.
    pub fn of(path: &str) -> Option<SchemaShape> {
        static ALL: OnceLock<HashMap<&'static str, Value>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            file_kinds()
                .into_iter()
                .map(|(name, make)| (name, make()))
                .collect()
        });
        let root = all.get(kind_of(path)?)?;
        let mut shape = SchemaShape {
            root,
            here: vec![root],
        };
        shape.here = shape.forms(vec![root]);
        Some(shape)
    }

    /// What stands under a key; the empty key is an item of a list.
    pub fn step(&self, key: &str) -> SchemaShape {
        let mut next = Vec::new();
        for form in &self.here {
            match key {
                "" => next.extend(form.get("items")),
                _ => {
                    let named = form.get("properties").and_then(|p| p.get(key));
                    next.extend(
                        named
                            .or_else(|| form.get("additionalProperties").filter(|a| a.is_object())),
                    );
                }
            }
        }
        SchemaShape {
            root: self.root,
            here: self.forms(next),
        }
    }

    pub fn at(path: &str, steps: &[String]) -> Option<SchemaShape> {
        let whole = SchemaShape::of(path)?;
        Some(steps.iter().fold(whole, |shape, step| shape.step(step)))
    }

    /// The keys a table here may have.
    pub fn keys(&self) -> BTreeMap<String, Key> {
        let mut keys = BTreeMap::new();
        for form in &self.here {
            let required: Vec<&str> = form
                .get("required")
                .and_then(Value::as_array)
                .map_or_else(Vec::new, |list| {
                    list.iter().filter_map(Value::as_str).collect()
                });
            for (name, inner) in form
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                let doc = self.forms(vec![inner]).iter().find_map(|form| doc(form));
                keys.insert(
                    name.clone(),
                    Key {
                        doc: doc.unwrap_or_default().to_string(),
                        is_required: required.contains(&name.as_str()),
                    },
                );
            }
        }
        keys
    }

    /// The words a value here may be.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for form in &self.here {
            let all = form
                .get("enum")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            words.extend(all.filter_map(Value::as_str).map(str::to_string));
            if form.get("type").and_then(Value::as_str) == Some("boolean") {
                words.extend(["true".into(), "false".into()]);
            }
        }
        words.dedup();
        words
    }

    /// Whether a value here is a text, so that a word needs quotes.
    pub fn is_flag(&self) -> bool {
        let flag = |form: &&Value| form.get("type").and_then(Value::as_str) == Some("boolean");
        self.here.iter().any(flag)
    }

    pub fn doc(&self) -> Option<String> {
        self.here
            .iter()
            .find_map(|form| doc(form))
            .map(str::to_string)
    }

    /// A schema and all it refers to or offers.
    fn forms(&self, given: Vec<&'static Value>) -> Vec<&'static Value> {
        let mut found: Vec<&'static Value> = Vec::new();
        let mut waiting = given;
        while let Some(form) = waiting.pop() {
            if found.len() > 64 || found.iter().any(|known| std::ptr::eq(*known, form)) {
                continue;
            }
            found.push(form);
            if let Some(name) = form.get("$ref").and_then(Value::as_str) {
                waiting.extend(
                    name.strip_prefix('#')
                        .and_then(|way| self.root.pointer(way)),
                );
            }
            for word in ["anyOf", "allOf", "oneOf"] {
                waiting.extend(
                    form.get(word)
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten(),
                );
            }
        }
        found
    }
}

fn doc(form: &Value) -> Option<&str> {
    form.get("description").and_then(Value::as_str)
}
