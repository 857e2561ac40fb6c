//! Values that are known when compiling: literals, constants, tables of the host, and arithmetic on them.

use super::Compiler;
use crate::code::BinOp;
use crate::host::Host;
use crate::operators;
use crate::tree::{Expr, ExprKind, Name, Step, StepKind, UnOp};
use crate::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Characters of a text and items of an array that is computed when compiling.
const LARGEST: usize = 1 << 14;

/// What a name may mean at some place.
pub(crate) struct Scope<'s> {
    pub unit: usize,
    pub imports: &'s HashMap<Name, usize>,
    /// Whether a name is a variable, which hides a constant.
    pub locals: &'s dyn Fn(&str) -> bool,
}

/// The result of following a chain into a constant.
pub(crate) enum Followed<O> {
    Value(Value<O>),
    /// A key that is not there, and the keys that are.
    Missing {
        step: usize,
        key: String,
        keys: Vec<String>,
    },
}

impl<H: Host> Compiler<'_, H> {
    pub(crate) fn constant(&self, name: &str, scope: &Scope<'_>) -> Option<&Value<H::Object>> {
        if (scope.locals)(name) {
            return None;
        }
        self.units[scope.unit].constants.get(name).or_else(|| {
            self.interface
                .constants
                .iter()
                .find(|c| c.name == name)
                .map(|c| &c.value)
        })
    }

    /// The value of an expression, if it is known and computing it cannot fail.
    pub(crate) fn fold(&self, e: &Expr, scope: &Scope<'_>) -> Option<Value<H::Object>> {
        Some(match &e.kind {
            ExprKind::Unit => Value::Unit,
            ExprKind::Bool(b) => Value::Bool(*b),
            ExprKind::Int(n) => Value::Int(*n),
            ExprKind::Char(c) => Value::Char(*c),
            ExprKind::Str(s) => Value::string(&**s),
            ExprKind::Var(name) => self.constant(name, scope)?.clone(),
            ExprKind::Qualified(module, name) => {
                let unit = *scope.imports.get(module)?;
                self.units[unit].constants.get(name)?.clone()
            }
            ExprKind::Array(items) => Value::array(
                items
                    .iter()
                    .map(|e| self.fold(e, scope))
                    .collect::<Option<_>>()?,
            ),
            ExprKind::Map(entries) => {
                let entries: Option<Vec<_>> = entries
                    .iter()
                    .map(|(k, _, e)| Some((&**k, self.fold(e, scope)?)))
                    .collect();
                Value::map(entries?)
            }
            ExprKind::Range {
                from,
                to,
                inclusive,
            } => Value::range(
                self.fold(from, scope)?.as_int()?,
                self.fold(to, scope)?.as_int()?,
                *inclusive,
            ),
            ExprKind::Unary(op, a) => match (op, self.fold(a, scope)?) {
                (UnOp::Neg, Value::Int(n)) => Value::Int(n.checked_neg()?),
                (UnOp::Plus, Value::Int(n)) => Value::Int(n),
                (UnOp::Not, Value::Bool(b)) => Value::Bool(!b),
                _ => return None,
            },
            ExprKind::Binary(op, a, b) => {
                fold_binary(*op, &self.fold(a, scope)?, &self.fold(b, scope)?)?
            }
            ExprKind::And(list) | ExprKind::Or(list) => {
                let all = matches!(e.kind, ExprKind::And(_));
                let values: Option<Vec<bool>> = list
                    .iter()
                    .map(|e| self.fold(e, scope)?.as_bool())
                    .collect();
                let values = values?;
                Value::Bool(if all {
                    values.iter().all(|b| *b)
                } else {
                    values.iter().any(|b| *b)
                })
            }
            ExprKind::Interpolated(parts) => {
                let mut text = String::new();
                for part in parts {
                    match self.fold(part, scope)? {
                        Value::Str(s) => text.push_str(&s),
                        Value::Char(c) => text.push(c),
                        Value::Int(n) => text.push_str(&n.to_string()),
                        Value::Bool(b) => text.push_str(&b.to_string()),
                        _ => return None,
                    }
                }
                small_enough(Value::string(text))?
            }
            ExprKind::Chain { root, steps } => match self.follow(root, steps, scope)? {
                Followed::Value(value) => value,
                Followed::Missing { .. } => return None,
            },
            _ => return None,
        })
    }

    /// Follows properties and constant indices into a constant; `None` if the root or an index is not one.
    pub(crate) fn follow(
        &self,
        root: &Expr,
        steps: &[Step],
        scope: &Scope<'_>,
    ) -> Option<Followed<H::Object>> {
        if !matches!(root.kind, ExprKind::Var(_) | ExprKind::Qualified(..)) {
            return None;
        }
        let mut value = self.fold(root, scope)?;
        for (n, step) in steps.iter().enumerate() {
            let next = match (&step.kind, &value) {
                (StepKind::Property(name), Value::Map(map)) => match map.get(name) {
                    Some(found) => found.clone(),
                    None => return Some(missing(n, name, map.keys())),
                },
                (StepKind::Property(name), Value::Array(items)) if &**name == "len" => {
                    Value::Int(items.len() as i64)
                }
                (StepKind::Index(i), Value::Array(items)) => {
                    let i = self.fold(i, scope)?.as_int()?;
                    items[operators::offset(i, items.len())?].clone()
                }
                (StepKind::Index(i), Value::Map(map)) => {
                    let key = self.fold(i, scope)?;
                    let key = key.as_str()?;
                    match map.get(key) {
                        Some(found) => found.clone(),
                        None => return Some(missing(n, key, map.keys())),
                    }
                }
                _ => return None,
            };
            value = next;
        }
        Some(Followed::Value(value))
    }
}

fn missing<'k, O>(step: usize, key: &str, keys: impl Iterator<Item = &'k Arc<str>>) -> Followed<O> {
    Followed::Missing {
        step,
        key: key.to_string(),
        keys: keys.map(|k| k.to_string()).collect(),
    }
}

/// A constant that doubles another one again and again would fill the memory before anything runs.
fn small_enough<O>(value: Value<O>) -> Option<Value<O>> {
    let size = match &value {
        Value::Str(text) => text.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    (size <= LARGEST).then_some(value)
}

fn fold_binary<O: crate::HostObject>(op: BinOp, a: &Value<O>, b: &Value<O>) -> Option<Value<O>> {
    let ordered = |ordering: std::cmp::Ordering| match op {
        BinOp::Eq => Some(ordering.is_eq()),
        BinOp::Ne => Some(ordering.is_ne()),
        BinOp::Lt => Some(ordering.is_lt()),
        BinOp::Le => Some(ordering.is_le()),
        BinOp::Gt => Some(ordering.is_gt()),
        BinOp::Ge => Some(ordering.is_ge()),
        _ => None,
    };
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => match ordered(x.cmp(y)) {
            Some(result) => Some(Value::Bool(result)),
            None => operators::arithmetic(op, *x, *y).map(Value::Int),
        },
        (Value::Str(x), Value::Str(y)) => match ordered(x.cmp(y)) {
            Some(result) => Some(Value::Bool(result)),
            None if op == BinOp::Add => small_enough(Value::string(format!("{x}{y}"))),
            None => None,
        },
        (Value::Str(x), Value::Char(y)) if op == BinOp::Add => {
            small_enough(Value::string(format!("{x}{y}")))
        }
        (Value::Char(x), Value::Str(y)) if op == BinOp::Add => {
            small_enough(Value::string(format!("{x}{y}")))
        }
        (Value::Array(x), Value::Array(y)) if op == BinOp::Add => {
            small_enough(Value::array(x.iter().chain(y.iter()).cloned().collect()))
        }
        (Value::Bool(x), Value::Bool(y)) => match op {
            BinOp::Eq => Some(Value::Bool(x == y)),
            BinOp::Ne => Some(Value::Bool(x != y)),
            _ => None,
        },
        _ => None,
    }
}
