//! From sources to a program: reads all files, resolves what belongs together, and lowers every function.

mod check;
mod fold;
mod infer;
mod keys;
mod lower;
mod tables;
mod this;

use crate::diagnostic::{Code, Diagnostic, Help, Pos, Related, Span, did_you_mean};
use crate::host::{Host, Interface};
use crate::parse::{Parser, parameters};
use crate::program::{FnId, Function, FunctionInfo, Program};
use crate::source::{Options, Source, Unit};
use crate::tree::{self, Expr, Name};
use crate::value::{Shared, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use tables::Tables;

const PRELUDE: &str = include_str!("prelude.rhai");

/// Compiles a unit with the libraries it may import. All errors of all files at once.
pub fn compile<H: Host>(
    main: &Unit,
    libraries: &[Unit],
    interface: &Interface<H>,
    options: &Options,
) -> Result<Program<H>, Vec<Diagnostic>> {
    let prelude = Unit {
        name: "prelude".into(),
        sources: vec![Source {
            path: "prelude.rhai".into(),
            text: PRELUDE.into(),
            layer: 0,
        }],
    };
    let mut compiler = Compiler::new(interface, options);
    let units: Vec<&Unit> = std::iter::once(main)
        .chain(libraries)
        .chain([&prelude])
        .collect();
    let trees = compiler.read(&units);
    compiler.declare(&units, &trees);
    compiler.find_changers(&trees);
    compiler.fold_constants(&trees);
    compiler.lower_all(&trees);
    compiler.slips(&trees);
    compiler.finish()
}

/// Mistakes that are told at once; nobody reads more.
const MOST_TOLD: usize = 500;

/// A file after reading.
struct ReadFile {
    tree: tree::File,
    unit: usize,
    /// Index into the table of paths.
    file: u32,
    layer: u32,
}

/// One namespace while compiling.
#[derive(Default)]
struct Namespace<O> {
    name: String,
    functions: BTreeMap<(Name, usize), u32>,
    constants: HashMap<Name, Value<O>>,
}

/// A function that has a number and waits to be lowered.
struct Declared {
    file: usize,
    path: u32,
    /// Index among the functions of its file.
    index: usize,
    unit: usize,
    layer: u32,
    pos: Pos,
    uses_this: bool,
    /// It gives `this` another value, or changes it.
    changes_this: bool,
    arity: usize,
    name: Name,
}

pub(crate) struct Compiler<'a, H: Host> {
    interface: &'a Interface<H>,
    coverage: bool,
    tables: Tables<'a, H>,
    program: Program<H>,
    units: Vec<Namespace<H::Object>>,
    declared: Vec<Declared>,
    /// What each file calls the units it imports.
    imports: Vec<HashMap<Name, usize>>,
    /// What each file calls units that are not there; that was said once, where it imports them.
    missing: Vec<HashSet<Name>>,
    /// What is known about the function that is lowered next.
    checked: check::Checked,
    /// Calls `x.call(y)` of which only the machine can tell what is called, and function values that look at `this`: not both.
    unsure_calls: Vec<(u32, Pos)>,
    values_with_this: Vec<(u32, Pos)>,
    /// Whether a function that changes `this` may be in a variable.
    keeps_changers: bool,
    /// Keys that some map may have, so that a misspelt property is noticed.
    keys: HashSet<Name>,
    /// Constants that have no value; that was said where they stand.
    unknown_constants: HashSet<Name>,
    /// Keys under which some map keeps a function.
    function_keys: HashSet<Name>,
    property_of: HashMap<Name, u16>,
    small_constants: HashMap<String, u32>,
    cover_of: HashMap<(u32, u32), u32>,
    out: Vec<Diagnostic>,
}

impl<'a, H: Host> Compiler<'a, H> {
    fn new(interface: &'a Interface<H>, options: &Options) -> Self {
        let tables = Tables::new(interface);
        let (program, property_of) = tables.program();
        Compiler {
            interface,
            coverage: options.coverage,
            program,
            property_of,
            tables,
            units: Vec::new(),
            declared: Vec::new(),
            imports: Vec::new(),
            missing: Vec::new(),
            checked: check::Checked::default(),
            unsure_calls: Vec::new(),
            values_with_this: Vec::new(),
            keeps_changers: false,
            keys: interface
                .map_keys
                .iter()
                .map(|k| Name::from(k.as_str()))
                .collect(),
            unknown_constants: HashSet::new(),
            function_keys: HashSet::new(),
            small_constants: HashMap::new(),
            cover_of: HashMap::new(),
            out: Vec::new(),
        }
    }

    fn report(
        &mut self,
        code: Code,
        file: u32,
        pos: Pos,
        message: impl Into<String>,
        help: Option<Help>,
    ) {
        self.report_about("", code, file, pos, message, help);
    }

    /// As [`Compiler::report`], about a name the script uses.
    fn report_about(
        &mut self,
        name: &str,
        code: Code,
        file: u32,
        pos: Pos,
        message: impl Into<String>,
        help: Option<Help>,
    ) {
        let path = self.program.files[file as usize].clone();
        let span = Span {
            start: pos,
            end: None,
        };
        self.out.push(Diagnostic {
            code,
            path,
            span,
            name: (!name.is_empty()).then(|| name.to_string()),
            message: message.into(),
            help,
            related: Vec::new(),
        });
    }

    /// Reads the main unit, the prelude, and the libraries somebody imports; a library nobody imports may be for another host.
    fn read(&mut self, units: &[&Unit]) -> Vec<ReadFile> {
        for content in units {
            self.units.push(Namespace {
                name: content.name.clone(),
                functions: BTreeMap::new(),
                constants: HashMap::new(),
            });
        }
        let parser = Parser::new();
        let mut files: Vec<ReadFile> = Vec::new();
        let mut wanted = vec![0, units.len() - 1];
        let mut next = 0;
        while let Some(&unit) = wanted.get(next) {
            next += 1;
            for source in &units[unit].sources {
                let file = self.program.files.len() as u32;
                self.program.files.push(source.path.clone());
                match parser.file(source) {
                    Ok(tree) => {
                        for import in &tree.imports {
                            let named = units[1..]
                                .iter()
                                .position(|u| *u.name == *import.module)
                                .map(|i| i + 1);
                            wanted.extend(named.filter(|unit| !wanted.contains(unit)));
                        }
                        files.push(ReadFile {
                            tree,
                            unit,
                            file,
                            layer: source.layer,
                        });
                    }
                    Err(diagnostics) => self.out.extend(diagnostics),
                }
            }
        }
        files
    }

    fn prelude(&self) -> usize {
        self.units.len() - 1
    }

    /// Gives every function its number and checks names that must be unique.
    fn declare(&mut self, units: &[&Unit], files: &[ReadFile]) {
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
                self.declared[old as usize] = declared;
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

    /// Constants may use each other in any order and across files.
    fn fold_constants(&mut self, files: &[ReadFile]) {
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

    fn lower_all(&mut self, files: &[ReadFile]) {
        // Numbers of script functions come first, closures get theirs as they are met.
        for declared in &self.declared {
            let file = &files[declared.file];
            let function = &file.tree.functions[declared.index];
            let is_prelude = declared.unit == self.units.len() - 1;
            self.program.functions.push(Function {
                info: FunctionInfo {
                    name: function.name.to_string(),
                    params: function.params.iter().map(|p| p.to_string()).collect(),
                    unit: self.units[declared.unit].name.clone(),
                    path: self.program.files[file.file as usize].clone(),
                    span: function.span,
                    doc: function.doc.clone(),
                    is_private: function.private,
                    is_prelude,
                    is_closure: false,
                    layer: declared.layer,
                },
                entry: 0,
                end: 0,
                cost: 0,
                registers: 0,
                arity: function.params.len() as u16,
                uses_this: function.uses_this,
                file: file.file,
                name: (&*function.name).into(),
                siblings: Vec::new(),
            });
        }
        for unit in &self.units {
            // Functions of one name stand together.
            let list: Vec<(&Name, u32)> = unit
                .functions
                .iter()
                .map(|((name, _), id)| (name, *id))
                .collect();
            for same in list
                .chunk_by(|a, b| a.0 == b.0)
                .filter(|same| same.len() > 1)
            {
                for (_, id) in same {
                    let others = same
                        .iter()
                        .map(|(_, other)| *other)
                        .filter(|other| other != id);
                    self.program.functions[*id as usize].siblings = others.collect();
                }
            }
        }
        for id in 0..self.declared.len() {
            let Declared {
                file, index, unit, ..
            } = self.declared[id];
            let read = &files[file];
            self.check(unit, read.file, &read.tree.functions[index]);
            lower::function(
                self,
                id as u32,
                unit,
                read.file,
                file,
                &read.tree.functions[index],
            );
        }
    }

    fn check(&mut self, unit: usize, file: u32, function: &tree::Function) {
        let methods = |name: &Name, args: &[Expr]| {
            self.method(unit, name, args.len()).is_some() || self.changes_target(unit, name, args)
        };
        let of_host = |name: &Name| !self.tables.properties(name).is_empty();
        let prelude = &self.units[self.prelude()].functions;
        let lends = |name: &Name, args: usize| {
            prelude.contains_key(&(name.clone(), args))
                || prelude.contains_key(&(name.clone(), args + 1))
        };
        let known = check::Known {
            changes: &methods,
            of_host: &of_host,
            lends: &lends,
        };
        let (findings, checked) = check::function(&function.params, &function.body, known);
        self.checked = checked;
        for finding in findings {
            self.report_about(
                &finding.name,
                finding.code,
                file,
                finding.pos,
                finding.message,
                Some(finding.help.into()),
            );
        }
    }

    /// What types tell beyond what the machine needs, if the host says what its values mean.
    fn slips(&mut self, files: &[ReadFile]) {
        let Some(meaning) = &self.interface.meaning else {
            return;
        };
        for found in infer::slips(self, files, meaning) {
            let path = &self.program.files[found.file as usize];
            let mut told = self.out.iter_mut();
            let told = told.find(|d| d.path == *path && d.span.start == found.pos);
            match told {
                // What the types told already; what was meant is worth saying all the same.
                Some(told) => told.help = told.help.take().or(found.help),
                None => self.report(found.code, found.file, found.pos, found.message, found.help),
            }
        }
    }

    fn finish(mut self) -> Result<Program<H>, Vec<Diagnostic>> {
        // Operations name these by sixteen bits.
        let most = self
            .program
            .properties
            .len()
            .max(self.program.overloads.len());
        if most > u16::MAX as usize {
            self.report(
                Code::TooLarge,
                0,
                Pos { line: 1, column: 1 },
                "the scripts together use more property names or calls than one program can hold",
                Some("divide them into several programs".into()),
            );
        }
        if let Some(&(of, place)) = self.values_with_this.first() {
            let path = self.program.files[of as usize].clone();
            for (file, pos) in std::mem::take(&mut self.unsure_calls) {
                self.report(
                    Code::Refused,
                    file,
                    pos,
                    format!(
                        "this might call its first argument with `this` bound, which is not supported: the function at {path}:{}:{} uses `this`",
                        place.line, place.column
                    ),
                    Some(lower::CALL_ITSELF.into()),
                );
            }
        }
        if !self.out.is_empty() {
            self.out
                .sort_by(|a, b| (&a.path, a.span, a.code).cmp(&(&b.path, b.span, b.code)));
            self.out.dedup();
            let more = self.out.len().saturating_sub(MOST_TOLD);
            self.out.truncate(MOST_TOLD);
            if more > 0
                && let Some(last) = self.out.last_mut()
            {
                last.help = Some(format!("and {more} more mistakes in the scripts").into());
            }
            return Err(self.out);
        }
        for ((name, arity), id) in &self.units[0].functions {
            self.program
                .main
                .insert((name.to_string(), *arity), FnId(*id));
        }
        self.program.names = self
            .units
            .iter()
            .map(|unit| {
                let functions = unit.functions.iter().rev();
                functions
                    .map(|((name, _), id)| (name.to_string(), *id))
                    .collect()
            })
            .collect();
        let names = self.program.properties.iter().map(|p| &p.name);
        let names: HashMap<&str, &Arc<str>> = names.map(|name| (&**name, name)).collect();
        for constant in &mut self.program.constants {
            share_keys(constant, &names);
        }
        Ok(self.program)
    }
}

/// Gives the maps of a constant the very strings that property accesses look for.
fn share_keys<O: Clone>(value: &mut Value<O>, names: &HashMap<&str, &Arc<str>>) {
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
