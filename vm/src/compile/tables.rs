//! What the host and the standard library declare, arranged for looking things up.

use crate::host::{
    Access as HostAccess, FunctionDecl, Host, Interface, Native, NativeWants, Param, PropertyDecl,
    Repr, Type, TypeId,
};
use crate::library::{self, Declaration};
use crate::program::{Access, Kinds, LibraryFn, Program, Property, Standard};
use crate::tree::Name;
use crate::value::HandleKind;
use std::collections::HashMap;

pub(crate) struct Tables<'a, H: Host> {
    pub interface: &'a Interface<H>,
    functions: HashMap<&'a str, Vec<usize>>,
    properties: HashMap<&'a str, Vec<&'a PropertyDecl<H>>>,
    pub library: Vec<Declaration<H>>,
    library_of: HashMap<&'static str, Vec<u16>>,
}

/// Functions the compiler turns into operations of their own.
pub(crate) const INTRINSICS: &[(&str, usize)] = &[
    ("len", 1),
    ("min", 2),
    ("max", 2),
    ("contains", 2),
    ("call", 0),
    ("curry", 0),
];

impl<'a, H: Host> Tables<'a, H> {
    pub fn new(interface: &'a Interface<H>) -> Self {
        let mut functions: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, f) in interface.functions.iter().enumerate() {
            functions.entry(&f.name).or_default().push(i);
        }
        let mut properties: HashMap<&str, Vec<&PropertyDecl<H>>> = HashMap::new();
        for p in &interface.properties {
            properties.entry(&p.name).or_default().push(p);
        }
        let library = library::declarations();
        let mut library_of: HashMap<&str, Vec<u16>> = HashMap::new();
        for (i, declaration) in library.iter().enumerate() {
            library_of
                .entry(declaration.name)
                .or_default()
                .push(i as u16);
        }
        Tables {
            interface,
            functions,
            properties,
            library,
            library_of,
        }
    }

    /// What a function and its arguments are called, for whoever gives it something else.
    fn wants(&self, function: &FunctionDecl<H>) -> NativeWants {
        let arg = |(name, param): &(String, Param)| {
            let types = match param {
                Param::Of(types) | Param::NameOr(_, types) => types.as_slice(),
                Param::Name(_) => &[Type::Str],
                Param::Function => &[Type::Fn],
            };
            let types: Vec<&str> = types.iter().map(|ty| self.type_name(*ty)).collect();
            format!("{} as `{name}`", types.join(" or "))
        };
        NativeWants {
            name: function.name.clone(),
            args: function.params.iter().map(arg).collect(),
        }
    }

    /// An empty program that knows all natives, and the numbers of the declared properties.
    pub fn program(&self) -> (Program<H>, HashMap<Name, u16>) {
        let mut program = Program {
            code: Vec::new(),
            places: Vec::new(),
            inlined: Vec::new(),
            constants: Vec::new(),
            texts: Default::default(),
            handles: Vec::new(),
            cases: Vec::new(),
            words: Vec::new(),
            shapes: Vec::new(),
            paths: Vec::new(),
            functions: Vec::new(),
            files: Vec::new(),
            natives: self
                .interface
                .functions
                .iter()
                .map(|f| Native {
                    call: f.call,
                    given: f.params.len() as u8,
                    wants: Some(Box::new(self.wants(f))),
                    cost: f.cost,
                })
                .collect(),
            overloads: Vec::new(),
            library: library::declarations()
                .into_iter()
                .map(|d| Standard {
                    light: library::is_light(d.name),
                    call: d.call,
                })
                .collect(),
            properties: Vec::new(),
            warnings: Vec::new(),
            main: HashMap::new(),
            names: Vec::new(),
            kinds: Kinds::default(),
            cover: Vec::new(),
        };
        for (i, ty) in self.interface.types.iter().enumerate() {
            program.kinds.names.push(ty.name.clone());
            for repr in &ty.reprs {
                let (table, kind) = match repr {
                    Repr::Handle(k) => (&mut program.kinds.handle, *k),
                    Repr::Small(k) => (&mut program.kinds.small, *k),
                    Repr::Object(k) => (&mut program.kinds.object, *k),
                };
                put(table, kind, Some(TypeId(i as u16)));
            }
        }
        let mut numbers: HashMap<Name, u16> = HashMap::new();
        for decl in &self.interface.properties {
            let id = *numbers.entry(decl.name.as_str().into()).or_insert_with(|| {
                program.properties.push(Property::named(&decl.name));
                program.properties.len() as u16 - 1
            });
            let access = match &decl.access {
                HostAccess::Slot { slot, writable } => Access::Slot {
                    slot: *slot,
                    writable: *writable,
                },
                HostAccess::Function { get, set } => {
                    let mut native = |call, given| {
                        program.natives.push(Native {
                            call,
                            given,
                            wants: None,
                            cost: None,
                        });
                        program.natives.len() as u16 - 1
                    };
                    Access::Function {
                        get: native(*get, 1),
                        set: set.map(|set| native(set, 2)),
                    }
                }
            };
            let property = &mut program.properties[id as usize];
            for repr in &self.interface.types[decl.on.0 as usize].reprs {
                match repr {
                    Repr::Handle(k) => put(&mut property.handle, *k, access),
                    Repr::Small(k) => put(&mut property.small, *k, access),
                    Repr::Object(k) => put(&mut property.object, *k, access),
                }
            }
        }
        (program, numbers)
    }

    pub fn host_functions(&self, name: &str) -> &[usize] {
        self.functions.get(name).map_or(&[], |v| v)
    }

    pub fn has_host_function(&self, name: &str, arity: usize) -> bool {
        self.host_functions(name)
            .iter()
            .any(|i| self.interface.functions[*i].params.len() == arity)
    }

    /// Whether a call means a function of the host, by which of its arguments are closures, the receiver among them: not where it is given
    /// one that none of the host's takes.
    pub fn means_host_function(&self, name: &str, closures: &[bool]) -> bool {
        let functions = self.host_functions(name).iter();
        let mut functions = functions.map(|i| &self.interface.functions[*i].params);
        functions.any(|params| {
            let mut given = params.iter().zip(closures);
            params.len() == closures.len()
                && given.all(|((_, param), closure)| !closure || accepts(param, Type::Fn))
        })
    }

    pub fn has_library_function(&self, name: &str, arity: usize) -> bool {
        INTRINSICS.contains(&(name, arity))
            || matches!(name, "call" | "curry")
            || self.library(name, arity).is_some()
    }

    pub fn library(&self, name: &str, arity: usize) -> Option<(u16, &Declaration<H>)> {
        let ids = self.library_of.get(name)?;
        let id = *ids
            .iter()
            .find(|id| self.library[**id as usize].arity == arity)?;
        Some((id, &self.library[id as usize]))
    }

    pub fn is_change(&self, name: &str, arity: usize) -> Option<u16> {
        let (id, declaration) = self.library(name, arity)?;
        matches!(declaration.call, LibraryFn::Change(_)).then_some(id)
    }

    /// Arities under which a name is known, for messages.
    pub fn arities(&self, name: &str) -> Vec<usize> {
        let mut list: Vec<usize> = self
            .host_functions(name)
            .iter()
            .map(|i| self.interface.functions[*i].params.len())
            .chain(
                self.library
                    .iter()
                    .filter(|d| d.name == name)
                    .map(|d| d.arity),
            )
            .chain(
                INTRINSICS
                    .iter()
                    .filter(|(n, a)| *n == name && *a > 0)
                    .map(|(_, a)| *a),
            )
            .collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.functions
            .keys()
            .copied()
            .chain(self.library.iter().map(|d| d.name))
            .chain(INTRINSICS.iter().map(|(n, _)| *n))
    }

    pub fn properties(&self, name: &str) -> &[&'a PropertyDecl<H>] {
        self.properties.get(name).map_or(&[], |v| v)
    }

    pub fn property_on(&self, ty: TypeId, name: &str) -> Option<&'a PropertyDecl<H>> {
        self.properties(name).iter().copied().find(|p| p.on == ty)
    }

    pub fn property_names(&self) -> impl Iterator<Item = &str> {
        self.properties.keys().copied()
    }

    pub fn type_name(&self, ty: Type) -> &str {
        match ty {
            Type::Any => "any value",
            Type::Unit => "()",
            Type::Bool => "bool",
            Type::Int => "i64",
            Type::Char => "char",
            Type::Str => "string",
            Type::Array => "array",
            Type::Map => "map",
            Type::Range => "range",
            Type::Fn => "Fn",
            Type::Host(id) => &self.interface.types[id.0 as usize].name,
        }
    }
}

/// Whether a parameter may accept a value of this type.
pub(crate) fn accepts(param: &Param, ty: Type) -> bool {
    let one_of =
        |types: &[Type]| ty == Type::Any || types.iter().any(|t| *t == Type::Any || *t == ty);
    match param {
        Param::Of(types) => one_of(types),
        // A name's value may have any type the host likes, so only the machine can tell.
        Param::Name(_) => !matches!(ty, Type::Array | Type::Map | Type::Range | Type::Fn),
        Param::Function => matches!(ty, Type::Str | Type::Fn | Type::Any),
        Param::NameOr(_, types) => ty == Type::Str || one_of(types) || matches!(ty, Type::Host(_)),
    }
}

/// Whether a parameter accepts every value of this type for sure.
pub(crate) fn surely_accepts(param: &Param, ty: Type) -> bool {
    match param {
        Param::Of(types) => types
            .iter()
            .any(|t| *t == Type::Any || *t == ty && ty != Type::Any),
        Param::Name(_) => ty == Type::Str,
        Param::Function => ty == Type::Fn,
        Param::NameOr(_, types) => {
            ty == Type::Str || types.iter().any(|t| *t == Type::Any || *t == ty)
        }
    }
}

fn put<T: Default + Clone>(table: &mut Vec<T>, kind: HandleKind, value: T) {
    if table.len() <= kind as usize {
        table.resize(kind as usize + 1, T::default());
    }
    table[kind as usize] = value;
}
