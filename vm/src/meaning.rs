//! What a host says about its values beyond what the machine relies on: enough to tell an author, before a script runs, that a comparison
//! can never be true, that a result is thrown away, or that a variable holds a place and not what lies there.

use crate::diagnostic::Code;
use crate::host::{Domain, Host, Type, TypeId};
use crate::value::Value;
use std::collections::HashMap;

/// What a value is, as far as it is known. It promises nothing to the machine, and `()` is possible besides if nothing else is said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// The types it may have; any if there are none.
    pub types: Vec<Type>,
    /// A text, or a host value that compares with texts, is a name of one of these sets; any text if there are none.
    pub names: Vec<Domain>,
    /// What its members are, for arrays.
    pub member: Option<Box<Known>>,
    /// It is there whatever happens: never `()`.
    pub always: bool,
}

impl Known {
    pub fn of(types: &[Type]) -> Known {
        Known {
            types: types.to_vec(),
            ..Known::default()
        }
    }

    pub fn named(mut self, names: Option<Domain>) -> Known {
        self.names = names.into_iter().collect();
        self
    }

    /// An array of such values.
    pub fn list(self) -> Known {
        Known {
            types: vec![Type::Array],
            member: Some(Box::new(self)),
            ..Known::default()
        }
    }

    /// The same, and never `()`.
    pub fn always(self) -> Known {
        Known {
            always: true,
            ..self
        }
    }
}

/// What a host function gives, if that is more than its declared result.
#[derive(Debug, Clone, PartialEq)]
pub enum Gives {
    Known(Known),
    /// A member of its n-th argument.
    Member(usize),
    /// An array of members of its n-th argument.
    Members(usize),
    /// An array of members of its n-th argument; of an array of lists, of members of these.
    MembersOrTheirs(usize),
    /// A member of its first list; if the second is a list too, one of its members as well, and if it is a text never that text.
    MemberOfEither(usize, usize),
    /// A map with these keys.
    Map(Vec<(&'static str, Known)>),
}

/// What there is to know about a host function.
#[derive(Debug, Clone, Default)]
pub struct FunctionMeaning {
    pub gives: Option<Gives>,
    /// It changes nothing: a call whose result is not used is a slip.
    pub answers: bool,
    /// The places and views of which it may change what lies there.
    pub changes: Vec<TypeId>,
    /// What to remember where its result is compared in vain.
    pub note: Option<&'static str>,
    /// Whatever texts are among what it gives are names of this domain.
    pub names: Option<Domain>,
}

/// How somebody else calls a function of the scripts.
#[derive(Debug, Clone, Default)]
pub struct Called {
    /// What it is given.
    pub given: Vec<Known>,
    /// Whether its result is wanted.
    pub wanted: bool,
    /// What its result must be, if not anything.
    pub gives: Option<MustGive>,
}

/// What whoever calls a function can do something with.
#[derive(Debug, Clone)]
pub struct MustGive {
    /// In words: "a number or a list of numbers".
    pub what: &'static str,
    pub types: Vec<Type>,
    /// What the members of an array must be; anything if there are none.
    pub members: Vec<Type>,
    /// Lists are of one length, which is not 0; a number alone is a list of one.
    pub one_length: bool,
    /// `()` is as good.
    pub or_nothing: bool,
}

/// A call of a host function, as it stands in a script.
pub struct Seen<'s, H: Host> {
    pub function: &'s str,
    pub args: Vec<SeenArg<H>>,
}

/// What is known of an argument.
pub struct SeenArg<H: Host> {
    /// The types it may have, members included; any if there are none.
    pub known: Known,
    /// Its value, if that is written down.
    pub value: Option<Value<H::Object>>,
    /// How it is written, if it is a variable or a property of one: the same twice in one call is the same thing.
    pub written: Option<String>,
    /// The property it was read from, if there is only one.
    pub property: Option<String>,
    /// The texts it may be, if all are written down.
    pub texts: Option<Vec<String>>,
    /// The keys of a map, if all are written down.
    pub keys: Option<Vec<String>>,
}

/// What the host finds wrong with a call.
pub struct Said {
    pub code: Code,
    /// The argument it is about.
    pub arg: usize,
    /// The name it is about, if it is about one that is not known.
    pub name: Option<String>,
    /// What the host calls the names it should be one of.
    pub of: Option<String>,
    pub message: String,
    pub help: Option<String>,
}

/// Looks at calls of host functions.
pub type Judge<H> = Box<dyn Fn(&Seen<'_, H>) -> Vec<Said>>;

/// What a host knows about what scripts do with its values.
pub struct Meaning<H: Host> {
    /// What a property holds, if that is more than its declared type.
    pub properties: HashMap<(TypeId, String), Known>,
    /// One for each function of the interface, in its order.
    pub functions: Vec<FunctionMeaning>,
    /// Functions of scripts that somebody else calls, by name and number of parameters.
    pub called: HashMap<(String, usize), Called>,
    /// Types of which values may be equal although the types differ.
    pub alike: Vec<(Type, Type)>,
    /// What to say where a value of the one type is compared with one of the other.
    pub hints: Vec<(Type, Type, &'static str)>,
    /// Host types that are places: what lies there changes, and the property (or function) that gives what lies there now.
    pub places: Vec<(TypeId, String)>,
    /// Host types that are views of numbers kept elsewhere, and what gives a copy of them.
    pub views: Vec<(TypeId, String)>,
    /// Methods of lists that a place does not have, and what to use instead.
    pub instead: Vec<(TypeId, &'static str, String)>,
    pub judge: Judge<H>,
}
