//! From sources to a program: reads all files, resolves what belongs together, and lowers every function.

mod cases;
mod check;
mod constants;
mod declare;
mod fold;
mod infer;
mod keys;
mod lower;
mod mentions;
mod small;
mod tables;
mod this;

use crate::diagnostic::{Advice, Code, Diagnostic, Pos, Span};
use crate::host::{Host, Interface};
use crate::parse::Parser;
use crate::program::{FnId, Function, FunctionInfo, Program, Property};
use crate::source::{Options, Script, Unit};
use crate::tree::{self, Expr, Name};
use crate::value::Value;
use small::Small;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
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
        sources: vec![Script {
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
    compiler.find_small(&trees);
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

impl<O> Namespace<O> {
    /// The functions of a name, each by the number of its parameters.
    fn named(&self, name: &str) -> impl Iterator<Item = (usize, u32)> {
        let from = (Name::from(name), 0);
        let to = (from.0.clone(), usize::MAX);
        self.functions
            .range(from..=to)
            .map(|((_, arity), id)| (*arity, *id))
    }

    fn has(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }
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
    /// It stands for one of a lower layer.
    replaces: bool,
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
    /// Of each declared function, what is put in the place of its calls if it is small.
    small: Vec<Option<Rc<Small>>>,
    /// The same of standard functions that do something with every item, for closures that are written where they are called.
    lenders: Vec<Option<Rc<Small>>>,
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
            small: Vec::new(),
            lenders: Vec::new(),
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
        help: Option<Advice>,
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
        help: Option<Advice>,
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
            of: None,
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

    fn lower_all(&mut self, files: &[ReadFile]) {
        let mentions = mentions::Mentions::of(&self.declared, files);
        // Numbers of script functions come first, closures get theirs as they are met.
        for (id, declared) in self.declared.iter().enumerate() {
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
                    replaces: declared.replaces,
                    mentioned: is_prelude || mentions.lead_to(declared, id),
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
            if found.may_be_meant {
                self.program.warnings.push(Diagnostic {
                    code: found.code,
                    path: path.clone(),
                    span: Span {
                        start: found.pos,
                        end: None,
                    },
                    name: found.name.map(|name| name.to_string()),
                    of: found.of,
                    message: found.message,
                    help: found.help,
                    related: Vec::new(),
                });
                continue;
            }
            let mut told = self.out.iter_mut();
            // Two names that stand at one place, as in a list, are two mistakes.
            let another = |d: &Diagnostic| match (&d.name, &found.name) {
                (Some(told), Some(name)) => **told != **name,
                _ => false,
            };
            let here = |d: &Diagnostic| d.path == *path && d.span.start == found.pos;
            let told = told.find(|d| here(d) && !another(d));
            match told {
                // What the types told already; what was meant is worth saying all the same.
                Some(told) => told.help = told.help.take().or(found.help),
                None => {
                    let (name, of) = (found.name.as_deref().unwrap_or_default(), found.of);
                    let (file, pos) = (found.file, found.pos);
                    self.report_about(name, found.code, file, pos, found.message, found.help);
                    if let Some(told) = self.out.last_mut() {
                        told.of = of;
                    }
                }
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
            constants::share_keys(constant, &names);
        }
        let texts = &mut self.program.texts;
        texts.extend(names.into_values().cloned());
        for constant in &self.program.constants {
            constants::gather_texts(constant, texts);
        }
        let words = &self.interface.words;
        let handle_of = |constant: &Value<H::Object>| match constant {
            Value::Handle(kind, id) => Value::Handle(*kind, *id),
            Value::Str(text) => words.get(&***text).cloned().unwrap_or_default(),
            _ => Value::Unit,
        };
        self.program.handles = self.program.constants.iter().map(handle_of).collect();
        let word_of = |p: &Property| words.get(&*p.name).cloned().unwrap_or_default();
        self.program.words = self.program.properties.iter().map(word_of).collect();
        cases::gather_all(&mut self.program);
        Ok(self.program)
    }
}
