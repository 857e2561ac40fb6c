//! What belongs together: every function gets its number, every import its unit, and names that must be unique are.

use super::{Compiler, Declared, ReadFile, keys};
use crate::diagnostic::{Code, Related, Span, did_you_mean};
use crate::host::Host;
use crate::parse::parameters;
use crate::source::Unit;
use crate::tree;
use std::collections::{HashMap, HashSet};

impl<H: Host> Compiler<'_, H> {
    /// Gives every function its number and checks names that must be unique.
    pub(super) fn declare(&mut self, units: &[&Unit], files: &[ReadFile]) {
        for (index, file) in files.iter().enumerate() {
            for (i, function) in file.tree.functions.iter().enumerate() {
                self.declare_function(index, file, i, function);
            }
        }
        self.check_prelude_names();
        let mut links: Vec<HashSet<usize>> = vec![HashSet::new(); units.len()];
        for file in files {
            let (mut imports, mut missing) = (HashMap::new(), HashSet::new());
            for import in &file.tree.imports {
                // Libraries stand behind the main unit.
                let found = (1..self.prelude()).find(|u| self.units[*u].name == *import.module);
                match found {
                    Some(unit) => {
                        links[file.unit].insert(unit);
                        if imports.insert(import.alias.clone(), unit).is_some() {
                            let message = format!("`{}` is imported twice", import.alias);
                            self.report_about(
                                &import.alias,
                                Code::Duplicate,
                                file.file,
                                import.pos,
                                message,
                                None,
                            );
                        }
                    }
                    None => {
                        let names: Vec<&str> = units[1..units.len() - 1]
                            .iter()
                            .map(|u| u.name.as_str())
                            .collect();
                        let help = did_you_mean(&import.module, names);
                        let message = format!("unknown script library `{}`", import.module);
                        self.report_about(
                            &import.module,
                            Code::UnknownModule,
                            file.file,
                            import.pos,
                            message,
                            help,
                        );
                        missing.insert(import.alias.clone());
                    }
                }
            }
            self.imports.push(imports);
            self.missing.push(missing);
        }
        self.check_cycles(files, &links);
        for file in files {
            let mut keys = keys::Keys::default();
            for constant in &file.tree.constants {
                keys.expr(&constant.value);
            }
            for function in &file.tree.functions {
                keys.function(&function.body);
            }
            self.keys.extend(keys.all);
            self.function_keys.extend(keys.of_functions);
        }
        for constant in &self.interface.constants {
            keys::of_value(&constant.value, &mut self.keys);
        }
        for key in ["error", "message", "line", "position"] {
            self.keys.insert(key.into());
        }
    }

    fn declare_function(
        &mut self,
        index: usize,
        file: &ReadFile,
        i: usize,
        function: &tree::Function,
    ) {
        let arity = function.params.len();
        let key = (function.name.clone(), arity);
        let what = format!("`{}` with {}", function.name, parameters(arity));
        if file.unit != self.prelude() {
            let taken = if self.tables.has_host_function(&function.name, arity) {
                Some("a function of the host")
            } else if self.tables.has_library_function(&function.name, arity) {
                Some("a standard function")
            } else {
                None
            };
            if let Some(taken) = taken {
                self.report_about(
                    &function.name,
                    Code::NameTaken,
                    file.file,
                    function.pos,
                    format!("{what} is already {taken}"),
                    Some("choose another name".into()),
                );
                return;
            }
        }
        let declared = Declared {
            file: index,
            path: file.file,
            index: i,
            unit: file.unit,
            layer: file.layer,
            pos: function.pos,
            uses_this: function.uses_this,
            // Those of the standard library are there to change their target.
            changes_this: function.uses_this && file.unit == self.prelude(),
            arity,
            name: function.name.clone(),
            replaces: false,
        };
        if let Some(&old) = self.units[file.unit].functions.get(&key) {
            let before = &self.declared[old as usize];
            if before.layer == file.layer {
                let related = Related {
                    path: self.program.files[before.path as usize].clone(),
                    span: Span {
                        start: before.pos,
                        end: None,
                    },
                    message: "first defined here".into(),
                };
                self.report_about(
                    &function.name,
                    Code::Duplicate,
                    file.file,
                    function.pos,
                    format!("{what} is defined twice"),
                    None,
                );
                self.out
                    .last_mut()
                    .expect("just reported")
                    .related
                    .push(related);
            } else if before.layer < file.layer {
                self.declared[old as usize] = Declared {
                    replaces: true,
                    ..declared
                };
            }
            return;
        }
        let id = self.declared.len() as u32;
        self.declared.push(declared);
        self.units[file.unit].functions.insert(key, id);
    }

    /// Part of the standard library is a script: its names are taken too.
    fn check_prelude_names(&mut self) {
        let prelude = self.prelude();
        let mut taken = Vec::new();
        for declared in self.declared.iter().filter(|d| d.unit != prelude) {
            let free = |arity: usize, this: bool| {
                self.units[prelude]
                    .functions
                    .get(&(declared.name.clone(), arity))
                    .is_none_or(|id| self.declared[*id as usize].uses_this != this)
            };
            let by_call = declared.arity + declared.uses_this as usize;
            if !free(by_call, false) || by_call > 0 && !free(by_call - 1, true) {
                let what = format!("`{}` with {}", declared.name, parameters(declared.arity));
                taken.push((
                    declared.name.clone(),
                    declared.path,
                    declared.pos,
                    format!("{what} is already a standard function"),
                ));
            }
        }
        for (name, path, pos, message) in taken {
            self.report_about(
                &name,
                Code::NameTaken,
                path,
                pos,
                message,
                Some("choose another name".into()),
            );
        }
    }

    /// Libraries that import each other in a ring cannot be ordered.
    fn check_cycles(&mut self, files: &[ReadFile], links: &[HashSet<usize>]) {
        for start in 0..links.len() {
            let (mut seen, mut open) = (HashSet::new(), vec![start]);
            while let Some(unit) = open.pop() {
                for &next in &links[unit] {
                    if next == start {
                        let Some((file, import)) = files
                            .iter()
                            .filter(|f| f.unit == start)
                            .find_map(|f| Some((f.file, f.tree.imports.first()?)))
                        else {
                            continue;
                        };
                        let message = format!(
                            "script library `{}` imports itself through others",
                            self.units[start].name
                        );
                        let name = import.module.clone();
                        self.report_about(
                            &name,
                            Code::ImportCycle,
                            file,
                            import.pos,
                            message,
                            None,
                        );
                        return;
                    }
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
        }
    }
}
