//! What calls mean and what they give.

use super::Infer;
use super::checks::only_text;
use super::exprs::path;
use super::places::Touched;
use super::ty::{TYPE_NAMES, Ty};
use crate::compile::tables::accepts;
use crate::diagnostic::{Code, Pos};
use crate::host::{Gives, Host, Known, Param, Seen, SeenArg, Type, TypeId};
use crate::program::LibraryFn;
use crate::tree::{Expr, ExprKind, Name, StepKind};
use std::collections::HashSet;

/// What a call turned out to be.
pub(super) enum Callee {
    Script(usize),
    /// One of these functions of the host.
    Host(Vec<usize>),
    /// A standard function that is a script itself.
    Prelude,
    Library {
        result: Type,
        changes: bool,
    },
    /// `len`, `min`, `call` and the like.
    Intrinsic,
    Unknown,
}

/// What a method is called on.
#[derive(Clone, Copy)]
pub(super) struct Receiver<'e> {
    /// How it is written, if it is a variable or a property of one.
    pub written: Option<&'e str>,
}

/// Names that are called with so many arguments, and names of functions that are handed on as values.
pub(super) fn names(e: &Expr, called: &mut HashSet<(Name, usize)>, pointed: &mut HashSet<Name>) {
    match &e.kind {
        ExprKind::Call { name, args, .. } => {
            called.insert((name.clone(), args.len()));
            // A step: `next_step("attack", p)`.
            if let Some(Expr {
                kind: ExprKind::Str(text),
                ..
            }) = args.first()
            {
                called.insert((text.clone(), args.len() - 1));
            }
        }
        ExprKind::Chain { steps, .. } => {
            for step in steps {
                if let StepKind::Method { name, args } = &step.kind {
                    called.insert((name.clone(), args.len()));
                    called.insert((name.clone(), args.len() + 1));
                }
            }
        }
        ExprKind::FnName(name) => {
            pointed.insert(name.clone());
        }
        // A function named as a value without `Fn`.
        ExprKind::Var(name) => {
            pointed.insert(name.clone());
        }
        _ => {}
    }
}

impl<H: Host> Infer<'_, '_, H> {
    /// What a name means, of a library or of this unit.
    pub(super) fn called(
        &self,
        module: Option<&Name>,
        name: &Name,
        count: usize,
        method: bool,
    ) -> Callee {
        let Some(module) = module else {
            return self.callee(name, count, method);
        };
        let unit = self.c.imports[self.read].get(module);
        let functions = unit.map(|unit| &self.c.units[*unit].functions);
        let id = functions.and_then(|f| f.get(&(name.clone(), count)));
        id.map_or(Callee::Unknown, |id| Callee::Script(*id as usize))
    }

    /// What a name means, called with so many arguments, the receiver of a method among them.
    pub(super) fn callee(&self, name: &Name, count: usize, method: bool) -> Callee {
        let own = &self.c.units[self.unit].functions;
        if method && let Some(id) = self.this_method(name, count - 1) {
            return match self.c.declared[id].unit == self.c.prelude() {
                true => Callee::Prelude,
                false => Callee::Script(id),
            };
        }
        if let Some(id) = own.get(&(name.clone(), count)) {
            return Callee::Script(*id as usize);
        }
        let all = self.c.tables.host_functions(name);
        let fitting = |i: &usize| self.c.interface.functions[*i].params.len() == count;
        let fitting: Vec<usize> = all.iter().copied().filter(fitting).collect();
        if !fitting.is_empty() {
            return Callee::Host(fitting);
        }
        if matches!(
            &**name,
            "len" | "min" | "max" | "contains" | "call" | "curry"
        ) {
            return Callee::Intrinsic;
        }
        let prelude = &self.c.units[self.c.prelude()].functions;
        if prelude.contains_key(&(name.clone(), count)) {
            return Callee::Prelude;
        }
        if let Some((_, library)) = self.c.tables.library(name, count) {
            return Callee::Library {
                result: library.result,
                changes: matches!(library.call, LibraryFn::Change(_)),
            };
        }
        match own.get(&(name.clone(), count.wrapping_sub(1))) {
            Some(id) if method => Callee::Script(*id as usize),
            _ => Callee::Unknown,
        }
    }

    /// A function of the unit or the standard library that uses `this`.
    pub(super) fn this_method(&self, name: &Name, args: usize) -> Option<usize> {
        let key = (name.clone(), args);
        [self.unit, self.c.prelude()]
            .into_iter()
            .filter_map(|unit| self.c.units[unit].functions.get(&key))
            .map(|id| *id as usize)
            .find(|id| self.c.declared[*id].uses_this)
    }

    /// The types of arguments; closures of standard functions are given the members of what they go through.
    pub(super) fn args(&mut self, name: &Name, receiver: Option<&Ty>, args: &[Expr]) -> Vec<Ty> {
        let count = args.len() + receiver.is_some() as usize;
        let standard = matches!(
            self.callee(name, count, receiver.is_some()),
            Callee::Prelude
        );
        let left = self.left.take();
        let mut types: Vec<Ty> = receiver.into_iter().cloned().collect();
        for e in args {
            let ty = match &e.kind {
                ExprKind::Closure(c) if standard && !types.is_empty() => {
                    self.goes_through(left, c, e.pos);
                    let given = self.given_to_closure(name, &types, c.params.len());
                    if &**name == "for_each" {
                        self.takes_a_number(c);
                    }
                    let result = self.closure(c, &given, e.pos);
                    // What it returns travels as its member, to be found by `map`.
                    Ty {
                        member: Some(std::rc::Rc::new(result)),
                        ..Ty::of(Type::Fn)
                    }
                }
                _ => self.expr(e),
            };
            types.push(ty);
        }
        types
    }

    fn given_to_closure(&self, name: &Name, types: &[Ty], params: usize) -> Vec<Ty> {
        let list = &types[0];
        if list.may_be(Type::Map) {
            return vec![Ty::ANY; params];
        }
        let member = self.member(list);
        let int = Ty::of(Type::Int);
        match &**name {
            "sort" | "sort_by" | "order" | "order_by" | "dedup" => vec![member; params],
            "reduce" | "reduce_rev" => vec![Ty::ANY, member, int],
            "zip" => {
                let other = types.get(1).map_or(Ty::ANY, |other| self.member(other));
                vec![member, other, int]
            }
            "map" | "filter" | "all" | "some" | "find" | "find_map" | "index_of" | "retain"
            | "drain" | "keep" => vec![member, int],
            // One that takes a single value gets the number; the member is `this`.
            "for_each" if params == 1 => vec![int],
            "for_each" => vec![member, int],
            _ => vec![Ty::ANY; params],
        }
    }

    /// A call: what is learned from it, what it gives. `types` are those of all arguments, the receiver first.
    pub(super) fn call(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        receiver: Option<Receiver>,
        args: &[Expr],
        types: Vec<Ty>,
        pos: Pos,
    ) -> Ty {
        match self.called(module, name, types.len(), receiver.is_some()) {
            Callee::Script(id) => {
                if self.dropping != Some(pos) && !self.wanted[id] {
                    self.wanted[id] = true;
                    self.learn(id);
                }
                self.hands_over(id, receiver.is_some(), args, &types);
                self.script_call(id, receiver.is_some(), &types)
            }
            Callee::Host(all) => self.host_call(name, &all, receiver, args, &types, pos),
            Callee::Prelude => {
                self.used_as_list(name, &types, pos);
                if let ("index_of", [list, one], Some(item)) = (&**name, &types[..], args.last())
                    && !one.may_be(Type::Fn)
                {
                    self.is_member(item, one, list, pos);
                }
                self.standard(name, &types)
            }
            Callee::Library { result, changes } => {
                if changes {
                    self.used_as_list(name, &types, pos);
                }
                self.library(name, &types, result)
            }
            Callee::Intrinsic => {
                if &**name == "contains" && types.len() == 2 {
                    let item = args.last();
                    if let Some(item) = item {
                        self.is_member(item, &types[1], &types[0], pos);
                    }
                }
                if &**name == "call" {
                    self.acted = true;
                    self.touched = Touched::BOTH;
                }
                match &**name {
                    "len" => Ty::of(Type::Int),
                    "contains" => Ty::of(Type::Bool),
                    "min" | "max" if types.len() == 2 => types[0].join(&types[1]),
                    "curry" => Ty::of(Type::Fn),
                    _ => Ty::ANY,
                }
            }
            Callee::Unknown => {
                self.acted = true;
                self.touched = Touched::BOTH;
                Ty::ANY
            }
        }
    }

    fn script_call(&mut self, id: usize, method: bool, types: &[Ty]) -> Ty {
        let arity = self.c.declared[id].arity;
        // A receiver that the function does not take is `this`, or is not looked at.
        let skipped = method as usize * (types.len().saturating_sub(arity)).min(1);
        for (n, ty) in types[skipped..].iter().enumerate().take(arity) {
            self.passed(id, n, ty);
        }
        self.acted |= self.acts[id] || self.c.declared[id].uses_this;
        self.touched = self.touched.with(self.touches[id]);
        self.callers[id].insert(self.function);
        self.results[id].clone()
    }

    fn passed(&mut self, id: usize, n: usize, ty: &Ty) {
        let known = &self.params[id][n];
        // A closure's result does not travel with it.
        let ty = match ty.may_be(Type::Fn) && !ty.is_any() {
            true => Ty::of(Type::Fn).join(&Ty {
                member: None,
                ..ty.clone()
            }),
            // Others may call it otherwise: a library is no game's alone.
            false => ty.doubted(),
        };
        let joined = known.join(&ty);
        if joined != *known {
            self.params[id][n] = joined;
            self.learn(id);
        }
    }

    fn host_call(
        &mut self,
        name: &Name,
        all: &[usize],
        receiver: Option<Receiver>,
        args: &[Expr],
        types: &[Ty],
        pos: Pos,
    ) -> Ty {
        let interface = self.c.interface;
        let fits = |i: &&usize| {
            let params = &interface.functions[**i].params;
            params.iter().zip(types).all(|((_, param), ty)| {
                let known = ty.types(interface);
                known.is_empty() || known.iter().any(|one| accepts(param, *one))
            })
        };
        let fitting: Vec<usize> = all.iter().filter(fits).copied().collect();
        let standard = fitting.is_empty();
        if standard {
            if !self.is_standard(name, types.len()) {
                self.not_wanted(name, all, receiver.is_some(), args, types);
            }
            // A standard function of the same name: `filter` on a list.
            self.acted = true;
            self.touched = Touched::BOTH;
            return Ty::ANY;
        }
        self.touched = self.touched.with(self.touched_by(&fitting));
        self.step(&fitting, receiver, args, types);
        self.named_for_host(&fitting, receiver.is_some(), args, types);
        if fitting.iter().all(|i| !self.function(*i).answers) {
            self.acted = true;
        }
        if self.telling {
            self.judged(name, receiver, args, types, pos);
        }
        let each = fitting.iter().map(|i| self.gives(*i, types));
        each.fold(Ty::NOTHING, |all, ty| all.join(&ty))
    }

    /// Whether the language has a function of that name.
    fn is_standard(&self, name: &Name, count: usize) -> bool {
        let prelude = &self.c.units[self.c.prelude()].functions;
        prelude.contains_key(&(name.clone(), count)) || self.c.tables.library(name, count).is_some()
    }

    /// What no form of a function takes: `say("hit", p)`, where details are a map.
    fn not_wanted(
        &mut self,
        name: &Name,
        all: &[usize],
        method: bool,
        args: &[Expr],
        types: &[Ty],
    ) {
        let [only] = all else { return };
        let interface = self.c.interface;
        for (n, (param_name, param)) in interface.functions[*only].params.iter().enumerate() {
            let (Param::Of(wanted), Some(ty)) = (param, types.get(n)) else {
                continue;
            };
            let known = ty.types(interface);
            if known.is_empty() || known.iter().any(|one| accepts(param, *one)) {
                continue;
            }
            let Some(at) = n.checked_sub(method as usize).and_then(|n| args.get(n)) else {
                continue;
            };
            let named = |types: &[Type]| {
                let names = types.iter().map(|ty| self.c.tables.type_name(*ty));
                names.collect::<Vec<_>>().join(" or ")
            };
            let (wanted, found) = (named(wanted), named(&known));
            let message = format!("`{name}` wants {wanted} as `{param_name}`, found {found}");
            self.tell(Code::TypeMismatch, at.pos, message, None);
        }
    }

    fn function(&self, i: usize) -> crate::host::FunctionMeaning {
        self.meaning.functions.get(i).cloned().unwrap_or_default()
    }

    fn gives(&self, i: usize, types: &[Ty]) -> Ty {
        let meaning = self.function(i);
        let member = |n: usize| types.get(n).map_or(Ty::ANY, |ty| self.member(ty));
        let mut ty = match &meaning.gives {
            None => Ty::of(self.c.interface.functions[i].result),
            Some(Gives::Known(known)) => Ty::known(known),
            Some(Gives::Member(n)) => member(*n),
            Some(Gives::Members(n)) => Ty::list(member(*n)),
            Some(Gives::MembersOrTheirs(n)) => Ty::list(self.one_or_theirs(&member(*n))),
            Some(Gives::MemberOfEither(a, b)) => match types.get(*b) {
                Some(other) if other.is(Type::Array) => member(*a).join(&member(*b)),
                Some(other) if !other.is_unknown() && !other.may_be(Type::Array) => member(*a),
                _ => Ty::ANY,
            },
            Some(Gives::Map(fields)) => {
                let fields = fields.iter();
                let fields = fields.map(|(key, known)| (Name::from(*key), Ty::known(known)));
                Ty::map(fields.collect())
            }
        };
        let leaves_off_with_a_word = match &meaning.gives {
            Some(Gives::MemberOfEither(_, b)) => types.get(*b).is_some_and(|t| t.is(Type::Array)),
            _ => false,
        };
        ty.note = meaning.note.filter(|_| !leaves_off_with_a_word);
        ty.never = match &meaning.gives {
            Some(Gives::MemberOfEither(_, b)) => types.get(*b).and_then(only_text),
            _ => None,
        };
        let is_made = matches!(
            meaning.gives,
            None | Some(Gives::Members(_) | Gives::MembersOrTheirs(_) | Gives::Map(_))
        );
        ty.sure = leaves_off_with_a_word || is_made && self.is_always_there(&ty);
        match meaning.names {
            Some(domain) => ty.named(domain),
            None => ty,
        }
    }

    /// What somebody chooses who may be offered a list of his own: if this is a list, one of it.
    fn one_or_theirs(&self, ty: &Ty) -> Ty {
        let is_list = |one: &Type| match one {
            Type::Array | Type::Range => true,
            Type::Host(TypeId(n)) => self.c.interface.types[*n as usize].member != Type::Any,
            _ => false,
        };
        let types = ty.types(self.c.interface);
        match (types.iter().any(is_list), types.iter().all(is_list)) {
            (true, true) => self.member(ty),
            (true, false) => Ty::ANY,
            _ => ty.clone(),
        }
    }

    /// A function named as a step is called with what follows its name.
    fn step(&mut self, fitting: &[usize], receiver: Option<Receiver>, args: &[Expr], types: &[Ty]) {
        let interface = self.c.interface;
        for i in fitting {
            let params = &interface.functions[*i].params;
            let at = params
                .iter()
                .position(|(_, p)| matches!(p, Param::Function));
            let Some(at) = at else { continue };
            let Some(at_arg) = at.checked_sub(receiver.is_some() as usize) else {
                continue;
            };
            let Some(ExprKind::Str(text)) = args.get(at_arg).map(|e| &e.kind) else {
                continue;
            };
            let given = &types[at + 1..];
            let key = (text.clone(), given.len());
            let id = self.c.units[self.unit].functions.get(&key).copied();
            let id = id.or_else(|| self.c.units[0].functions.get(&key).copied());
            if let Some(id) = id {
                let rest = args.get(at_arg + 1..).unwrap_or_default();
                self.hands_over(id as usize, false, rest, &types[at + 1..]);
                let given = given.to_vec();
                for (n, ty) in given.iter().enumerate() {
                    self.passed(id as usize, n, ty);
                }
            }
        }
    }

    fn judged(
        &mut self,
        name: &Name,
        receiver: Option<Receiver>,
        args: &[Expr],
        types: &[Ty],
        pos: Pos,
    ) {
        let skipped = receiver.is_some() as usize;
        let seen_args = types.iter().enumerate().map(|(n, ty)| {
            let e = n.checked_sub(skipped).and_then(|n| args.get(n));
            SeenArg {
                known: self.shown(ty),
                value: e.and_then(|e| self.fold(e)),
                written: match e {
                    Some(e) => path(e),
                    None => receiver.and_then(|of| of.written).map(str::to_string),
                },
                property: ty.property.as_ref().map(|name| name.to_string()),
                texts: self.texts(ty),
                keys: ty
                    .fields
                    .as_ref()
                    .filter(|_| ty.is(Type::Map))
                    .map(|fields| {
                        let keys = fields.keys();
                        keys.map(|key| key.to_string()).collect()
                    }),
            }
        });
        let seen = Seen {
            function: name,
            args: seen_args.collect(),
        };
        for said in (self.meaning.judge)(&seen) {
            let at = said.arg.checked_sub(skipped).and_then(|n| args.get(n));
            let at = at.map_or(pos, |e| e.pos);
            let name = said.name.as_deref().map(Name::from);
            let told = self.found.len();
            self.tell_of(name, said.code, at, said.message, said.help.map(Into::into));
            if let Some(found) = self.found.get_mut(told) {
                found.of = said.of;
            }
        }
    }

    fn fold(&self, e: &Expr) -> Option<crate::value::Value<H::Object>> {
        let locals = |name: &str| self.scope.iter().any(|(n, _)| &**n == name);
        let scope = crate::compile::fold::Scope {
            unit: self.unit,
            imports: &self.c.imports[self.read],
            locals: &locals,
        };
        self.c.fold(e, &scope)
    }

    fn shown(&self, ty: &Ty) -> Known {
        let words = ty.words.as_ref();
        let names = words.filter(|w| w.texts.is_empty());
        let names = names.into_iter().flat_map(|w| w.domains.iter().copied());
        // The host knows its own domains only.
        let names = names.filter(|n| *n != TYPE_NAMES);
        let mut types = ty.types(self.c.interface);
        if !types.is_empty() && ty.may_be(Type::Unit) {
            types.push(Type::Unit);
        }
        Known {
            types,
            names: names.map(crate::host::Domain).collect(),
            member: (!ty.is_any()).then(|| {
                let member = self.member(ty);
                Box::new(Known {
                    types: member.types(self.c.interface),
                    ..Known::default()
                })
            }),
            always: false,
        }
    }

    /// The texts written down, of it or of its members.
    fn texts(&self, ty: &Ty) -> Option<Vec<String>> {
        let member = ty.member.as_deref().filter(|_| ty.is(Type::Array));
        let words = member.unwrap_or(ty).words.as_ref()?;
        words
            .domains
            .is_empty()
            .then(|| words.texts.iter().map(|t| t.to_string()).collect())
    }

    /// Whether it may be a place, which is no set of its own.
    pub(super) fn is_place(&self, ty: &Ty) -> bool {
        let mut places = self.meaning.places.iter();
        places.any(|(place, _)| ty.may_be(Type::Host(*place)))
    }

    /// Whether it is of types that are something, whatever they hold: numbers, lists, sets. A place may be none, as a piece may be nowhere.
    pub(super) fn is_always_there(&self, ty: &Ty) -> bool {
        let types = ty.types(self.c.interface);
        let always = |one: &Type| match one {
            Type::Bool | Type::Int | Type::Array | Type::Map => true,
            Type::Host(TypeId(n)) => {
                let is_set = self.c.interface.types[*n as usize].member != Type::Any;
                is_set && !self.is_place(&Ty::of(*one))
            }
            _ => false,
        };
        !types.is_empty() && !ty.may_be(Type::Unit) && types.iter().all(always)
    }

    /// The standard functions that take closures.
    fn standard(&mut self, name: &Name, types: &[Ty]) -> Ty {
        let list = types.first().cloned().unwrap_or(Ty::ANY);
        if list.is_unknown() || list.may_be(Type::Map) {
            return Ty::ANY;
        }
        let member = self.member(&list);
        let closure = types.iter().find(|ty| ty.is(Type::Fn));
        match &**name {
            "filter" | "retain" | "drain" | "order" | "order_by" => Ty::list(member),
            "keep" if !self.is_place(&list) => list,
            "map" => match closure.and_then(|c| c.member.as_deref()) {
                Some(result) => Ty::list(result.clone()),
                None => Ty::of(Type::Array),
            },
            "find" => member.or_unit(),
            "all" | "some" => Ty::of(Type::Bool),
            "index_of" => Ty::of(Type::Int),
            "sort" | "sort_by" | "dedup" | "for_each" => Ty::of(Type::Unit),
            "zip" => Ty::of(Type::Array),
            _ => Ty::ANY,
        }
    }

    fn library(&self, name: &Name, types: &[Ty], result: Type) -> Ty {
        let list = types.first();
        match (&**name, list) {
            ("pop" | "shift" | "remove" | "get", Some(list)) if list.is(Type::Array) => {
                self.member(list).or_unit()
            }
            ("order" | "order_desc" | "extract" | "drain" | "retain", Some(list))
                if list.is(Type::Array) =>
            {
                Ty::list(self.member(list))
            }
            ("keys", _) => Ty::list(Ty::of(Type::Str)),
            ("type_of", _) => Ty::type_name(),
            _ => Ty::of(result),
        }
    }
}
