//! Conditions that become jumps, `if` and `switch`.

use super::Lower;
use crate::code::{BinOp, Op, Reg};
use crate::compile::cases::FEWEST;
use crate::diagnostic::{Code, Pos};
use crate::host::{Host, Type};
use crate::tree::{Arm, Case, Expr, ExprKind, Switch, UnOp};
use crate::value::Value;

impl<H: Host> Lower<'_, '_, H> {
    /// Jumps (to be patched) if the condition is `when`; falls through otherwise.
    pub(super) fn cond(&mut self, e: &Expr, when: bool) -> Vec<usize> {
        self.pos = e.pos;
        let next = self.next;
        let jumps = self.cond_jumps(e, when);
        self.next = next;
        jumps
    }

    pub(super) fn cond_jumps(&mut self, e: &Expr, when: bool) -> Vec<usize> {
        if let Some(value) = self.fold(e) {
            return match value {
                Value::Bool(b) if b == when => vec![self.emit(Op::Jump { t: 0 })],
                Value::Bool(_) => Vec::new(),
                other => {
                    let ty = self.type_of_value(&other);
                    self.expect(ty, Type::Bool, e.pos, "true or false");
                    Vec::new()
                }
            };
        }
        if let Some(jumps) = self.closure_as_condition(e, when) {
            return jumps;
        }
        match &e.kind {
            ExprKind::Unary(UnOp::Not, inner) => self.cond(inner, !when),
            ExprKind::And(list) | ExprKind::Or(list) => {
                let is_and = matches!(e.kind, ExprKind::And(_));
                // `a && b` is false as soon as one is; `a || b` true.
                if is_and != when {
                    return list.iter().flat_map(|e| self.cond(e, when)).collect();
                }
                let (last, first) = list.split_last().expect("an operator has operands");
                let skip: Vec<usize> = first.iter().flat_map(|e| self.cond(e, !when)).collect();
                let jumps = self.cond(last, when);
                self.patch(&skip);
                jumps
            }
            ExprKind::Binary(op, a, b) if op.is_equality() || op.is_order() => {
                self.compare_jump(*op, a, b, e.pos, when)
            }
            _ => {
                let val = self.operand(e);
                self.expect(val.ty, Type::Bool, e.pos, "true or false");
                self.pos = e.pos;
                let jump = if when {
                    Op::JumpIf { a: val.reg, t: 0 }
                } else {
                    Op::JumpIfNot { a: val.reg, t: 0 }
                };
                vec![self.emit(jump)]
            }
        }
    }

    pub(super) fn compare_jump(
        &mut self,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        pos: Pos,
        when: bool,
    ) -> Vec<usize> {
        let written = op;
        let op = if when {
            op
        } else {
            match op {
                BinOp::Eq => BinOp::Ne,
                BinOp::Ne => BinOp::Eq,
                BinOp::Lt => BinOp::Ge,
                BinOp::Le => BinOp::Gt,
                BinOp::Gt => BinOp::Le,
                _ => BinOp::Lt,
            }
        };
        let t = 0;
        if let Some((of, kinds)) = self.asks_for_type(op, a, b) {
            let a = self.operand(of).reg;
            self.pos = pos;
            return vec![self.emit(Op::JumpKind { a, kinds, t })];
        }
        if op.is_equality() && matches!(b.kind, ExprKind::Unit) {
            let a = self.operand(a).reg;
            self.pos = pos;
            let jump = if op == BinOp::Eq {
                Op::JumpUnit { a, t }
            } else {
                Op::JumpNotUnit { a, t }
            };
            return vec![self.emit(jump)];
        }
        if let Some(i) = self.small(b).and_then(|i| i16::try_from(i).ok()) {
            let x = self.operand(a);
            self.check_operands(written, x.ty, Type::Int, pos);
            self.pos = pos;
            let a = x.reg;
            return vec![self.emit(match op {
                BinOp::Eq => Op::JumpEqInt { a, i, t },
                BinOp::Ne => Op::JumpNeInt { a, i, t },
                BinOp::Lt => Op::JumpLtInt { a, i, t },
                BinOp::Le => Op::JumpLeInt { a, i, t },
                BinOp::Gt => Op::JumpGtInt { a, i, t },
                _ => Op::JumpGeInt { a, i, t },
            })];
        }
        if op.is_equality()
            && let Some((beside, k)) = self.compared_constant(a, b)
        {
            let a = self.operand(beside).reg;
            self.pos = pos;
            return vec![self.emit(match op {
                BinOp::Eq => Op::JumpIs { a, k, t },
                _ => Op::JumpIsNot { a, k, t },
            })];
        }
        let (x, y) = if op.is_equality() {
            self.compared(a, b)
        } else {
            (self.operand(a), self.operand(b))
        };
        self.check_operands(written, x.ty, y.ty, pos);
        self.pos = pos;
        let (a, b) = (x.reg, y.reg);
        vec![self.emit(match op {
            BinOp::Eq => Op::JumpEq { a, b, t },
            BinOp::Ne => Op::JumpNe { a, b, t },
            BinOp::Lt => Op::JumpLt { a, b, t },
            BinOp::Le => Op::JumpLe { a, b, t },
            BinOp::Gt => Op::JumpGt { a, b, t },
            _ => Op::JumpGe { a, b, t },
        })]
    }

    /// `type_of(x) == "array"`: the value, and the kinds of values that are meant. Types of the host have names of their own.
    fn asks_for_type<'e>(&self, op: BinOp, a: &'e Expr, b: &Expr) -> Option<(&'e Expr, u16)> {
        let (
            ExprKind::Call {
                module: None,
                name,
                args,
            },
            ExprKind::Str(ty),
        ) = (&a.kind, &b.kind)
        else {
            return None;
        };
        let [of] = &args[..] else {
            return None;
        };
        let own = self.c.units[self.unit]
            .functions
            .contains_key(&(name.clone(), 1));
        if &**name != "type_of" || own || self.c.tables.has_host_function(name, 1) {
            return None;
        }
        let kinds = crate::value::kinds_named(ty)?;
        match op {
            BinOp::Eq => Some((of, kinds)),
            BinOp::Ne => Some((of, !kinds)),
            _ => None,
        }
    }

    /// Whether a standard function's question about the type of what it was given is answered by what is known of it.
    fn known_by_type(&self, e: &Expr) -> Option<bool> {
        if !self.is_prelude() {
            return None;
        }
        match &e.kind {
            ExprKind::Or(list) => {
                let known: Option<Vec<bool>> = list.iter().map(|e| self.known_by_type(e)).collect();
                known.map(|known| known.contains(&true))
            }
            ExprKind::Binary(op, a, b) => {
                let (of, kinds) = self.asks_for_type(*op, a, b)?;
                let ExprKind::Var(name) = &of.kind else {
                    return None;
                };
                let own = match self.local(name)?.ty {
                    Type::Str => "string",
                    Type::Array => "array",
                    Type::Map => "map",
                    Type::Fn => "Fn",
                    Type::Host(_) => return Some(crate::value::host_kinds() & kinds != 0),
                    _ => return None,
                };
                Some(crate::value::kinds_named(own)? & kinds != 0)
            }
            _ => None,
        }
    }

    pub(super) fn if_else(
        &mut self,
        cond: &Expr,
        then: &crate::tree::Block,
        other: Option<&crate::tree::Block>,
        want: Option<Reg>,
    ) {
        if let Some(holds) = self.known_by_type(cond) {
            match (holds, other) {
                (true, _) => self.block(then, want),
                (false, Some(other)) => self.block(other, want),
                (false, None) => self.nothing(want),
            };
            return;
        }
        let jumps = self.cond(cond, false);
        self.block(then, want);
        if other.is_none() && want.is_none() {
            self.patch(&jumps);
            return;
        }
        let end = self.emit(Op::Jump { t: 0 });
        self.patch(&jumps);
        match (other, want) {
            (Some(other), want) => {
                self.block(other, want);
            }
            (None, Some(d)) => {
                self.emit(Op::Unit { d });
            }
            (None, None) => {}
        }
        self.patch(&[end]);
    }

    /// Literal cases are tried first, then ranges, in the order they are written: as Rhai does.
    pub(super) fn switch(&mut self, switch: &Switch, want: Option<Reg>) {
        let next = self.next;
        let pos = switch.item.pos;
        // A condition may change the variable that is looked at.
        let item = if switch.arms.iter().any(|arm| arm.cond.is_some()) {
            self.expr(&switch.item, None)
        } else {
            self.operand(&switch.item)
        };
        let domain = self.names_of(&switch.item);
        let literals = |arm: &Arm| {
            let plain = |(case, _): &&(Case, Pos)| matches!(case, Case::Str(_) | Case::Int(_));
            arm.cases.iter().filter(plain).count()
        };
        let many = switch.arms.iter().map(literals).sum::<usize>() >= FEWEST;
        if many && switch.arms.iter().all(|arm| arm.cond.is_none()) {
            self.emit(Op::Switch { a: item.reg, k: 0 });
        }
        let mut entries: Vec<Vec<usize>> = vec![Vec::new(); switch.arms.len()];
        for ranges in [false, true] {
            for (n, arm) in switch.arms.iter().enumerate() {
                for (case, at) in &arm.cases {
                    if matches!(case, Case::Range { .. }) != ranges {
                        continue;
                    }
                    self.pos = *at;
                    let value = match case {
                        Case::Unit => Value::Unit,
                        Case::Bool(b) => Value::Bool(*b),
                        Case::Int(i) => Value::Int(*i),
                        Case::Char(c) => Value::Char(*c),
                        Case::Str(s) => match domain {
                            Some(domain) => self.name_value(domain, s, *at).unwrap_or_default(),
                            None => Value::string(&**s),
                        },
                        Case::Range {
                            from,
                            to,
                            inclusive,
                        } => Value::range(*from, *to, *inclusive),
                    };
                    let ty = match item.ty {
                        // A range is found among those it is equal to.
                        Type::Range if ranges => Type::Range,
                        _ if ranges => Type::Int,
                        _ => self.type_of_value(&value),
                    };
                    if !matches!(item.ty, Type::Any | Type::Host(_))
                        && !matches!(ty, Type::Host(_))
                        && item.ty != ty
                    {
                        let (x, y) = (
                            self.c.tables.type_name(item.ty).to_string(),
                            self.c.tables.type_name(ty).to_string(),
                        );
                        self.error(
                            Code::TypeMismatch,
                            *at,
                            format!("{x} is never {y}: this case cannot happen"),
                            None,
                        );
                    }
                    let (a, t) = (item.reg, 0);
                    let mut misses = Vec::new();
                    let hit = match &value {
                        Value::Unit => self.emit(Op::JumpUnit { a, t }),
                        Value::Range(_) => {
                            let k = self.case_constant(&value, pos);
                            misses.push(self.emit(Op::JumpOutside { a, k, t }));
                            self.emit(Op::Jump { t })
                        }
                        Value::Int(i) if i16::try_from(*i).is_ok() => {
                            self.emit(Op::JumpEqInt { a, i: *i as i16, t })
                        }
                        _ => {
                            let k = self.case_constant(&value, pos);
                            self.emit(Op::JumpCase { a, k, t })
                        }
                    };
                    match &arm.cond {
                        None => entries[n].push(hit),
                        Some(cond) => {
                            let miss = self.emit(Op::Jump { t });
                            self.patch(&[hit]);
                            entries[n].extend(self.cond(cond, true));
                            self.patch(&[miss]);
                        }
                    }
                    self.patch(&misses);
                }
            }
        }
        let mut ends = Vec::new();
        match (&switch.default, want) {
            (Some(block), want) => {
                self.block(block, want);
            }
            (None, Some(d)) => {
                self.emit(Op::Unit { d });
            }
            (None, None) => {}
        }
        ends.push(self.emit(Op::Jump { t: 0 }));
        for (arm, entry) in switch.arms.iter().zip(entries) {
            self.patch(&entry);
            self.block(&arm.body, want);
            ends.push(self.emit(Op::Jump { t: 0 }));
        }
        self.patch(&ends);
        self.next = next;
    }

    pub(super) fn case_constant(&mut self, value: &Value<H::Object>, pos: Pos) -> u16 {
        let k = self.constant(value);
        u16::try_from(k).unwrap_or_else(|_| {
            self.error(
                Code::TooLarge,
                pos,
                "the program has too many constants",
                None,
            );
            0
        })
    }
}
