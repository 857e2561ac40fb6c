//! Constants of scripts: their values, worked out when compiling.

use super::{Compiler, ReadFile, fold};
use crate::diagnostic::{Code, Pos};
use crate::host::Host;
use crate::tree::{self, Expr, ExprKind, Name};
use crate::value::{Shared, Value};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl<H: Host> Compiler<'_, H> {
    /// Constants may use each other in any order and across files.
    pub(super) fn fold_constants(&mut self, files: &[ReadFile]) {
        let mut open: Vec<(usize, &tree::Constant)> = Vec::new();
        let mut layers: HashMap<(usize, Name), u32> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            for constant in &file.tree.constants {
                let key = (file.unit, constant.name.clone());
                match layers.get(&key) {
                    Some(&layer) if layer == file.layer => {
                        let message = format!("constant `{}` is defined twice", constant.name);
                        self.report_about(
                            &constant.name,
                            Code::Duplicate,
                            file.file,
                            constant.pos,
                            message,
                            None,
                        );
                        continue;
                    }
                    Some(&layer) if layer > file.layer => continue,
                    Some(_) => {
                        open.retain(|(i, c)| files[*i].unit != file.unit || c.name != constant.name)
                    }
                    None => {}
                }
                if self
                    .interface
                    .constants
                    .iter()
                    .any(|c| c.name == *constant.name)
                {
                    let message = format!("`{}` is already a constant of the host", constant.name);
                    self.report_about(
                        &constant.name,
                        Code::NameTaken,
                        file.file,
                        constant.pos,
                        message,
                        Some("choose another name".into()),
                    );
                    continue;
                }
                layers.insert(key, file.layer);
                open.push((index, constant));
            }
        }
        // What they hold together, what several of them share counted for each: whoever goes through a constant goes through all of it.
        let mut room = MOST_IN_CONSTANTS;
        let mut too_large: Vec<(usize, &tree::Constant)> = Vec::new();
        loop {
            let before = open.len();
            open.retain(|(index, constant)| {
                let file = &files[*index];
                let scope = fold::Scope {
                    unit: file.unit,
                    imports: &self.imports[*index],
                    locals: &|_| false,
                };
                match self.fold(&constant.value, &scope) {
                    Some(value) if !fits_into(&value, &mut room) => {
                        too_large.push((*index, constant));
                        false
                    }
                    Some(value) => {
                        self.units[file.unit]
                            .constants
                            .insert(constant.name.clone(), value);
                        false
                    }
                    None => true,
                }
            });
            if open.is_empty() || open.len() == before {
                break;
            }
        }
        for (index, constant) in too_large {
            self.unknown_constants.insert(constant.name.clone());
            let message = format!(
                "with constant `{}` the constants hold too many values",
                constant.name
            );
            let help = "a list that stands in another counts with all it holds".to_string();
            let (file, pos) = (files[index].file, constant.value.pos);
            let name = &constant.name;
            self.report_about(name, Code::TooLarge, file, pos, message, Some(help.into()));
        }
        for (index, constant) in open {
            self.unknown_constants.insert(constant.name.clone());
            let file = &files[index];
            let scope = fold::Scope {
                unit: file.unit,
                imports: &self.imports[index],
                locals: &|_| false,
            };
            let (code, pos, message, help) = match self.faulty(&constant.value, &scope) {
                Some(pos) => (
                    Code::ConstantFault,
                    pos,
                    "this calculation has no result".to_string(),
                    "nothing is divided by 0, and numbers have at most 19 digits",
                ),
                None => (
                    Code::NotConstant,
                    constant.value.pos,
                    format!(
                        "the value of constant `{}` is not known when compiling",
                        constant.name
                    ),
                    "use literals and other constants, or write a function",
                ),
            };
            self.report_about(
                &constant.name,
                code,
                file.file,
                pos,
                message,
                Some(help.into()),
            );
        }
    }

    /// Where a calculation with known numbers fails.
    fn faulty(&self, e: &Expr, scope: &fold::Scope<'_>) -> Option<Pos> {
        let within = |e: &Expr| self.faulty(e, scope);
        let number = |e: &Expr| matches!(self.fold(e, scope), Some(Value::Int(_)));
        match &e.kind {
            ExprKind::Binary(_, a, b) => within(a).or_else(|| within(b)).or_else(|| {
                let fails = number(a) && number(b) && self.fold(e, scope).is_none();
                fails.then_some(e.pos)
            }),
            ExprKind::Unary(_, a) => within(a),
            ExprKind::Array(items) => items.iter().find_map(within),
            ExprKind::Map(entries) => entries.iter().find_map(|(_, _, e)| within(e)),
            _ => None,
        }
    }
}

/// Values in all constants of a game together.
const MOST_IN_CONSTANTS: usize = 1_000_000;

fn fits_into<O>(value: &Value<O>, room: &mut usize) -> bool {
    *room = room.saturating_sub(1);
    *room > 0
        && match value {
            Value::Array(items) => items.iter().all(|item| fits_into(item, room)),
            Value::Map(map) => map.iter().all(|(_, value)| fits_into(value, room)),
            Value::Str(text) => {
                *room = room.saturating_sub(text.len() / 16);
                *room > 0
            }
            _ => true,
        }
}

/// Gives the maps of a constant the very strings that property accesses look for.
pub(super) fn share_keys<O: Clone>(value: &mut Value<O>, names: &HashMap<&str, &Arc<str>>) {
    match value {
        Value::Map(map) => Shared::make_mut(map).change_entries(|key, value| {
            if let Some(name) = names.get(&**key) {
                *key = (*name).clone();
            }
            share_keys(value, names);
        }),
        Value::Array(items) => Shared::make_mut(items)
            .iter_mut()
            .for_each(|item| share_keys(item, names)),
        _ => {}
    }
}

/// The texts in a constant.
pub(super) fn gather_texts<O>(value: &Value<O>, texts: &mut HashSet<Arc<str>, RandomState>) {
    match value {
        Value::Str(text) if !texts.contains(text.as_str()) => {
            texts.insert(text.as_str().into());
        }
        Value::Array(items) => items.iter().for_each(|item| gather_texts(item, texts)),
        _ => {}
    }
}
