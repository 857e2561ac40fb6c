//! What is compiled: files, and the units they form.

/// One script file.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// As shown in errors: `scripts/harbour/attack.rhai`.
    pub path: String,
    pub text: String,
    /// Functions of a higher layer replace functions of the same name and arity in lower ones.
    pub layer: u32,
}

/// One namespace: all its files see each other's functions and constants.
#[derive(Debug, Clone, Default)]
pub struct Unit {
    /// What `import` calls it.
    pub name: String,
    pub sources: Vec<Script>,
}

/// How to compile.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Records which lines and functions ran. Costs nothing when off: the operations are not there.
    pub coverage: bool,
}
