//! Expressions that make a value, one function for each kind. They give what is known of its type.

use super::{Lower, closure};
use crate::code::{Op, Reg};
use crate::host::{Host, Type};
use crate::tree::{Closure, Expr, Name, Pos, UnOp};
use crate::value::{FnPtr, Shared, Value};
use std::sync::Arc;

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn variable(&mut self, name: &Name, pos: Pos, d: Reg) -> Type {
        let Some((s, ty)) = self.local(name).map(|l| (l.reg, l.ty)) else {
            if let Some(ty) = self.lent_value(name, d) {
                return ty;
            }
            self.unknown_variable(name, pos);
            return Type::Any;
        };
        if d != s {
            self.emit(Op::Move { d, s });
        }
        ty
    }

    pub(super) fn this(&mut self, d: Reg) -> Type {
        if self.this {
            self.emit(Op::Move { d, s: 0 });
        }
        Type::Any
    }

    pub(super) fn text(&mut self, parts: &[Expr], d: Reg) -> Type {
        let (a, n) = self.fill_row(parts.iter());
        self.emit(Op::Text { d, a, n });
        Type::Str
    }

    pub(super) fn array(&mut self, items: &[Expr], d: Reg) -> Type {
        let (a, n) = self.fill_row(items.iter());
        self.emit(Op::Array { d, a, n });
        Type::Array
    }

    pub(super) fn map(&mut self, entries: &[(Name, Pos, Expr)], d: Reg) -> Type {
        let (a, n) = self.fill_row(entries.iter().map(|(_, _, e)| e));
        // One that is too long has been told.
        if n as usize != entries.len() {
            return Type::Map;
        }
        // The very strings that property accesses look for.
        let mut shape: Vec<(Arc<str>, u8)> = (0..)
            .zip(entries)
            .map(|(at, (key, _, _))| {
                let property = self.property(key);
                let name = &self.c.program.properties[property as usize].name;
                (name.clone(), at)
            })
            .collect();
        shape.sort();
        let k = self.c.program.shapes.len() as u32;
        self.c.program.shapes.push(shape);
        self.emit(Op::Map { d, a, k });
        Type::Map
    }

    pub(super) fn unary(&mut self, op: UnOp, of: &Expr, pos: Pos, d: Reg) -> Type {
        let val = self.operand(of);
        let a = val.reg;
        self.pos = pos;
        let (ty, what, op) = match op {
            UnOp::Neg => (Type::Int, "a number", Op::Neg { d, a }),
            // Not by adding: that would also take a text.
            UnOp::Plus => (Type::Int, "a number", Op::SubInt { d, a, i: 0 }),
            UnOp::Not => (Type::Bool, "true or false", Op::Not { d, a }),
        };
        self.expect(val.ty, ty, of.pos, what);
        self.emit(op);
        ty
    }

    /// `&&` and `||` where a value is wanted.
    pub(super) fn truth(&mut self, e: &Expr, d: Reg) -> Type {
        let jumps = self.cond(e, false);
        self.emit(Op::Bool { d, b: true });
        let end = self.emit(Op::Jump { t: 0 });
        self.patch(&jumps);
        self.emit(Op::Bool { d, b: false });
        self.patch(&[end]);
        Type::Bool
    }

    /// `a ?? b ?? c`
    pub(super) fn coalesce(&mut self, list: &[Expr], d: Reg) -> Type {
        let mut ends = Vec::new();
        for (i, e) in list.iter().enumerate() {
            self.expr(e, Some(d));
            if i + 1 < list.len() {
                ends.push(self.emit(Op::JumpNotUnit { a: d, t: 0 }));
            }
        }
        self.patch(&ends);
        Type::Any
    }

    pub(super) fn range(
        &mut self,
        from: &Expr,
        to: &Expr,
        inclusive: bool,
        pos: Pos,
        d: Reg,
    ) -> Type {
        let (a, b) = (self.operand(from), self.operand(to));
        self.expect(a.ty, Type::Int, from.pos, "a number");
        self.expect(b.ty, Type::Int, to.pos, "a number");
        self.pos = pos;
        let (a, b) = (a.reg, b.reg);
        self.emit(Op::Range { d, a, b, inclusive });
        Type::Range
    }

    /// `item in list`
    pub(super) fn membership(&mut self, item: &Expr, list: &Expr, pos: Pos, d: Reg) -> Type {
        let b = self.operand(list).reg;
        let a = self.operand(item).reg;
        self.pos = pos;
        self.emit(Op::In { d, a, b });
        Type::Bool
    }

    pub(super) fn closure(&mut self, c: &Closure, pos: Pos, d: Reg) -> Type {
        if c.uses_this && !self.c.checked.lent.contains(&pos) {
            self.c.values_with_this.push((self.file, pos));
        }
        let function = self.function_of_closure(c, pos);
        self.pos = pos;
        self.closure_value(c, function, d);
        Type::Fn
    }

    pub(super) fn function_of_closure(&mut self, c: &Closure, pos: Pos) -> u32 {
        let captures = self.captures(c);
        let captures = captures.into_iter().map(|(name, _)| name).collect();
        closure(self.c, self.unit, self.file, self.read, captures, c, pos)
    }

    /// The function of a closure with what it captures here.
    pub(super) fn closure_value(&mut self, c: &Closure, k: u32, d: Reg) {
        let captures = self.captures(c);
        if captures.is_empty() {
            return self.load_function(k, d);
        }
        let n = captures.len() as u8;
        let a = self.row(captures.len());
        for (i, (_, s)) in captures.into_iter().enumerate() {
            self.emit(Op::Move { d: a + i as Reg, s });
        }
        self.emit(Op::Fn { d, a, n, k });
    }

    /// What a closure captures, and where that stands. Rhai also lists constants and unknown names; the body finds or reports those itself.
    fn captures(&self, c: &Closure) -> Vec<(Name, Reg)> {
        let place = |name: &Name| self.local(name).map(|local| (name.clone(), local.reg));
        c.captures.iter().filter_map(place).collect()
    }

    /// A function value that captured nothing is always the same.
    fn load_function(&mut self, function: u32, d: Reg) {
        let declared = self.c.program.functions.get(function as usize);
        let pointer = FnPtr {
            function,
            name: declared.map_or_else(|| "".into(), |f| f.name.clone()),
            captured: Default::default(),
        };
        self.load(&Value::Fn(Shared::new(pointer)), Some(d));
    }

    /// `Fn("name")`
    pub(super) fn function_name(&mut self, name: &Name, pos: Pos, d: Reg) -> Type {
        let mut named = self.c.units[self.unit].functions.iter();
        if named.any(|((n, _), id)| n == name && self.c.declared[*id as usize].uses_this) {
            self.c.values_with_this.push((self.file, pos));
        }
        let k = self.pointer(name, pos);
        self.load_function(k, d);
        Type::Fn
    }
}
