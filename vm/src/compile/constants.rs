//! Constants of scripts: their values, worked out when compiling.

use super::{Compiler, ReadFile, fold};
use crate::diagnostic::Code;
use crate::host::Host;
use crate::tree::{self, Name};
use crate::value::{Shared, Value};
use std::collections::HashMap;
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
        for (index, constant) in open {
            self.unknown_constants.insert(constant.name.clone());
            let message = format!(
                "the value of constant `{}` is not known when compiling",
                constant.name
            );
            let help = "use literals and other constants, or write a function".to_string();
            self.report_about(
                &constant.name,
                Code::NotConstant,
                files[index].file,
                constant.value.pos,
                message,
                Some(help.into()),
            );
        }
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
