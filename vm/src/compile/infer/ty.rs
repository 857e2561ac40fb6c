//! What is known of a value before the script runs. Nothing known is never a reason to complain.

use crate::host::{Domain, Interface, Type, TypeId};
use crate::host::{Host, Known};
use crate::tree::Name;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The domain of the names of types: none of the host's has this number.
pub(super) const TYPE_NAMES: u16 = u16::MAX;

/// So much is remembered of what lies in one value: members, fields and texts together.
const LARGEST: usize = 1_000;

/// Of so many texts nothing more is known than that it is one.
const MOST_TEXTS: usize = 300;

/// How deep lists of lists and maps in maps are followed.
const DEEPEST: usize = 4;

/// The types a value may have, as bits, and what is known of its texts, members and keys.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ty {
    pub kinds: u64,
    /// The texts a string (or a host value that compares with strings) may be; `None` if it may be any.
    pub words: Option<Words>,
    /// What the members of an array are; `None` if they may be anything.
    pub member: Option<Rc<Ty>>,
    /// What stands under the keys of a map; `None` if that may be anything.
    pub fields: Option<Rc<BTreeMap<Name, Ty>>>,
    /// What the function that gave it wants to be remembered.
    pub note: Option<&'static str>,
    /// A text that it never is, though it may look so: what is given for it is `()`.
    pub never: Option<Name>,
    /// The property it was read from, if it was.
    pub property: Option<Name>,
    /// The host says what it is: where `()` is none of its types it is never that.
    pub sure: bool,
}

/// Texts that are written down, and names of the host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Words {
    pub texts: BTreeSet<Name>,
    pub domains: BTreeSet<u16>,
}

const LANGUAGE: [Type; 9] = [
    Type::Unit,
    Type::Bool,
    Type::Int,
    Type::Char,
    Type::Str,
    Type::Array,
    Type::Map,
    Type::Range,
    Type::Fn,
];

fn bit(ty: Type) -> u64 {
    match ty {
        Type::Any => u64::MAX,
        Type::Host(TypeId(n)) if (n as usize) < 64 - LANGUAGE.len() => {
            1 << (n as usize + LANGUAGE.len())
        }
        // A host with more types than there are bits: those beyond are not told apart.
        Type::Host(_) => u64::MAX,
        other => LANGUAGE
            .iter()
            .position(|t| *t == other)
            .map_or(u64::MAX, |n| 1 << n),
    }
}

impl Ty {
    /// Nothing yet: what has no value anywhere.
    pub const NOTHING: Ty = Ty {
        kinds: 0,
        words: None,
        member: None,
        fields: None,
        note: None,
        never: None,
        property: None,
        sure: false,
    };
    pub const ANY: Ty = Ty {
        kinds: u64::MAX,
        ..Ty::NOTHING
    };

    pub fn of(ty: Type) -> Ty {
        Ty {
            kinds: bit(ty),
            ..Ty::NOTHING
        }
    }

    pub fn text(text: &str) -> Ty {
        let words = Words {
            texts: BTreeSet::from([Name::from(text)]),
            domains: BTreeSet::new(),
        };
        Ty {
            words: Some(words),
            ..Ty::of(Type::Str)
        }
    }

    /// The name of a type, whichever it is.
    pub fn type_name() -> Ty {
        let words = Words {
            texts: BTreeSet::new(),
            domains: BTreeSet::from([TYPE_NAMES]),
        };
        Ty {
            words: Some(words),
            ..Ty::of(Type::Str)
        }
    }

    pub fn list(member: Ty) -> Ty {
        let list = Ty {
            member: Some(Rc::new(member)),
            ..Ty::of(Type::Array)
        };
        list.bounded()
    }

    pub fn map(fields: BTreeMap<Name, Ty>) -> Ty {
        let map = Ty {
            fields: Some(Rc::new(fields)),
            ..Ty::of(Type::Map)
        };
        map.bounded()
    }

    /// As much of it as is worth knowing: a list of maps of lists may say more than a program has letters.
    pub fn bounded(self) -> Ty {
        let mut room = LARGEST;
        match self.fits_into(&mut room) {
            true => self,
            false => Ty {
                member: None,
                fields: None,
                ..self
            },
        }
    }

    fn fits_into(&self, room: &mut usize) -> bool {
        let texts = self.words.as_ref().map_or(0, |words| words.texts.len());
        *room = room.saturating_sub(1 + texts);
        let mut inside = self.member.iter().map(|member| &**member);
        let mut fields = self.fields.iter().flat_map(|fields| fields.values());
        *room > 0 && inside.all(|ty| ty.fits_into(room)) && fields.all(|ty| ty.fits_into(room))
    }

    pub fn known(known: &Known) -> Ty {
        let kinds = known.types.iter().fold(0, |all, ty| all | bit(*ty));
        if kinds == 0 {
            return Ty::ANY;
        }
        let words = (!known.names.is_empty()).then(|| Words {
            texts: BTreeSet::new(),
            domains: known.names.iter().map(|Domain(n)| *n).collect(),
        });
        Ty {
            kinds,
            words,
            member: known.member.as_ref().map(|m| Rc::new(Ty::known(m))),
            sure: known.always,
            ..Ty::NOTHING
        }
    }

    /// The same, but its texts, or those of its members, are names of this domain.
    pub fn named(mut self, domain: Domain) -> Ty {
        if self.is_unknown() {
            return self;
        }
        if self.may_be(Type::Str) {
            let words = self.words.get_or_insert_default();
            words.domains.insert(domain.0);
        }
        if let Some(member) = self.member.take() {
            self.member = Some(Rc::new((*member).clone().named(domain)));
        }
        self
    }

    pub fn value<H: Host>(
        value: &Value<H::Object>,
        host: &dyn Fn(&Value<H::Object>) -> Type,
    ) -> Ty {
        Self::value_within::<H>(value, host, DEEPEST)
    }

    fn value_within<H: Host>(
        value: &Value<H::Object>,
        host: &dyn Fn(&Value<H::Object>) -> Type,
        deep: usize,
    ) -> Ty {
        match value {
            Value::Unit => Ty::of(Type::Unit),
            Value::Bool(_) => Ty::of(Type::Bool),
            Value::Int(_) => Ty::of(Type::Int),
            Value::Char(_) => Ty::of(Type::Char),
            Value::Range(_) => Ty::of(Type::Range),
            Value::Fn(_) => Ty::of(Type::Fn),
            Value::Str(text) => Ty::text(text),
            Value::Array(items) if deep > 0 => {
                let members = items.iter();
                let members = members.map(|item| Self::value_within::<H>(item, host, deep - 1));
                // What is written down is no larger than its file.
                Ty {
                    member: Some(Rc::new(members.fold(Ty::NOTHING, |all, ty| all.join(&ty)))),
                    ..Ty::of(Type::Array)
                }
            }
            Value::Map(map) if deep > 0 => {
                let fields = map.iter().map(|(key, value)| {
                    let key = Name::from(&**key);
                    (key, Self::value_within::<H>(value, host, deep - 1))
                });
                Ty {
                    fields: Some(Rc::new(fields.collect())),
                    ..Ty::of(Type::Map)
                }
            }
            Value::Array(_) => Ty::of(Type::Array),
            Value::Map(_) => Ty::of(Type::Map),
            other => Ty::of(host(other)),
        }
    }

    pub fn is_any(&self) -> bool {
        self.kinds == u64::MAX
    }

    /// Whether it says nothing: it may be anything, or there is no value at all.
    pub fn is_unknown(&self) -> bool {
        self.is_any() || self.kinds == 0
    }

    pub fn may_be(&self, ty: Type) -> bool {
        self.kinds & bit(ty) != 0
    }

    /// Exactly this type, or `()`.
    pub fn is(&self, ty: Type) -> bool {
        self.some().kinds == bit(ty)
    }

    /// Exactly this type.
    pub fn is_only(&self, ty: Type) -> bool {
        self.kinds == bit(ty)
    }

    /// The same, of which others may make something else: that it is there is not sure, nor that anything inside of it is.
    pub fn doubted(&self) -> Ty {
        let fields = self.fields.as_ref().map(|fields| {
            let each = fields.iter();
            Rc::new(each.map(|(key, ty)| (key.clone(), ty.doubted())).collect())
        });
        Ty {
            sure: false,
            fields,
            ..self.clone()
        }
    }

    /// Without `()`.
    pub fn some(&self) -> Ty {
        let mut some = self.clone();
        if !self.is_any() {
            some.kinds &= !bit(Type::Unit);
        }
        some
    }

    pub fn or_unit(mut self) -> Ty {
        self.kinds |= bit(Type::Unit);
        self
    }

    /// The types it may have besides `()`, if that is known.
    pub fn types<H: Host>(&self, interface: &Interface<H>) -> Vec<Type> {
        if self.is_unknown() {
            return Vec::new();
        }
        let hosts = (0..interface.types.len() as u16).map(|n| Type::Host(TypeId(n)));
        let all = LANGUAGE[1..].iter().copied().chain(hosts);
        all.filter(|ty| self.may_be(*ty)).collect()
    }

    /// One or the other.
    pub fn join(&self, other: &Ty) -> Ty {
        self.join_within(other, DEEPEST)
    }

    fn join_within(&self, other: &Ty, deep: usize) -> Ty {
        if self.kinds == 0 {
            return other.clone();
        }
        if other.kinds == 0 || self == other {
            return self.clone();
        }
        let never = match (self.is_only(Type::Unit), other.is_only(Type::Unit)) {
            (true, _) => other.never.clone(),
            (_, true) => self.never.clone(),
            _ if self.never == other.never => self.never.clone(),
            _ => None,
        };
        if self.is_any() || other.is_any() || deep == 0 {
            return Ty { never, ..Ty::ANY };
        }
        let either = |a: &Ty, b: &Ty, ty: Type| (a.may_be(ty), b.may_be(ty));
        let words = match (self.is_wordy(), other.is_wordy()) {
            (true, false) => self.words.clone(),
            (false, true) => other.words.clone(),
            _ => match (&self.words, &other.words) {
                (Some(a), Some(b)) if a.texts.len().max(b.texts.len()) < MOST_TEXTS => {
                    Some(Words {
                        texts: a.texts.union(&b.texts).cloned().collect(),
                        domains: a.domains.union(&b.domains).copied().collect(),
                    })
                }
                (Some(a), Some(b)) if a == b => Some(a.clone()),
                _ => None,
            },
        };
        let member = match either(self, other, Type::Array) {
            (true, false) => self.member.clone(),
            (false, true) => other.member.clone(),
            _ => match (&self.member, &other.member) {
                (Some(a), Some(b)) => Some(Rc::new(a.join_within(b, deep - 1))),
                _ => None,
            },
        };
        let fields = match either(self, other, Type::Map) {
            (true, false) => self.fields.clone(),
            (false, true) => other.fields.clone(),
            _ => match (&self.fields, &other.fields) {
                (Some(a), Some(b)) => Some(Rc::new(join_fields(a, b, deep))),
                _ => None,
            },
        };
        let joined = Ty {
            kinds: self.kinds | other.kinds,
            words,
            member,
            fields,
            note: self.note.or(other.note),
            never,
            property: self
                .property
                .clone()
                .filter(|p| other.property.as_ref() == Some(p)),
            sure: self.sure && other.sure,
        };
        joined.bounded()
    }

    /// Whether it may be a text or something that might compare with one; only then words say anything.
    fn is_wordy(&self) -> bool {
        let host = !0 << LANGUAGE.len();
        self.words.is_some() || self.may_be(Type::Str) || self.kinds & host != 0
    }
}

fn join_fields(a: &BTreeMap<Name, Ty>, b: &BTreeMap<Name, Ty>, deep: usize) -> BTreeMap<Name, Ty> {
    let mut all = a.clone();
    for (key, ty) in &mut all {
        if !b.contains_key(key) {
            *ty = ty.doubted();
        }
    }
    for (key, ty) in b {
        let joined = all.get(key).map(|known| known.join_within(ty, deep - 1));
        all.insert(key.clone(), joined.unwrap_or_else(|| ty.doubted()));
    }
    all
}
