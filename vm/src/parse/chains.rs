//! Chains of members and the arms of `switch`: where rhai's tree differs most from ours.

use super::Reader;
use crate::diagnostic::Code;
use crate::tree::*;
use rhai::{ASTFlags, Expr as RExpr, Position, Stmt as RStmt};

impl Reader<'_> {
    /// Rhai nests chains to the right: `a.b[i]` is `a . (b [ i ])`. Ours are a root and a list of steps.
    pub(super) fn chain(&mut self, e: &RExpr) -> ExprKind {
        let mut steps = Vec::new();
        let root = match e {
            RExpr::Dot(sides, flags, p) => {
                let root = self.expr(&sides.lhs);
                self.steps(true, &sides.rhs, *flags, *p, &mut steps);
                root
            }
            RExpr::Index(sides, flags, p) => {
                let root = self.expr(&sides.lhs);
                self.steps(false, &sides.rhs, *flags, *p, &mut steps);
                root
            }
            _ => unreachable!("called with a chain"),
        };
        match root.kind {
            // `(a.b).c` and `a.b.c` are the same chain unless a `?.` ends the inner one early.
            ExprKind::Chain {
                root,
                steps: mut first,
            } if first.iter().all(|s| !s.safe) => {
                first.append(&mut steps);
                ExprKind::Chain { root, steps: first }
            }
            _ => ExprKind::Chain {
                root: Box::new(root),
                steps,
            },
        }
    }

    pub(super) fn steps(
        &mut self,
        dot: bool,
        rest: &RExpr,
        flags: ASTFlags,
        p: Position,
        out: &mut Vec<Step>,
    ) {
        let safe = flags.contains(ASTFlags::NEGATED);
        match rest {
            RExpr::Dot(sides, inner, q) if !flags.contains(ASTFlags::BREAK) => {
                self.step(dot, &sides.lhs, safe, p, out);
                self.steps(true, &sides.rhs, *inner, *q, out);
            }
            RExpr::Index(sides, inner, q) if !flags.contains(ASTFlags::BREAK) => {
                self.step(dot, &sides.lhs, safe, p, out);
                self.steps(false, &sides.rhs, *inner, *q, out);
            }
            last => self.step(dot, last, safe, p, out),
        }
    }

    pub(super) fn step(
        &mut self,
        dot: bool,
        e: &RExpr,
        safe: bool,
        p: Position,
        out: &mut Vec<Step>,
    ) {
        let at = self.at(if dot { e.position() } else { p });
        let kind = match e {
            _ if !dot => StepKind::Index(self.expr(e)),
            RExpr::Property(p, _) => StepKind::Property(p.2.as_str().into()),
            RExpr::MethodCall(call, _) | RExpr::FnCall(call, _) => {
                let args = self.exprs(call.args.iter());
                StepKind::Method {
                    name: call.name.as_str().into(),
                    args,
                }
            }
            _ => {
                self.refuse(
                    Code::Refused,
                    at,
                    "this kind of property is not supported",
                    "",
                );
                return;
            }
        };
        out.push(Step {
            kind,
            safe,
            pos: at,
        });
    }

    /// Rhai's tree keeps hashes of the literals only, so they are read from the tokens; the counts must agree.
    pub(super) fn switch(&mut self, stmt: &RStmt, at: Pos) -> Expr {
        let RStmt::Switch(parts, _) = stmt else {
            unreachable!("called with a switch")
        };
        let (item, cases) = &**parts;
        let item = self.expr(item);
        let heads = self.tokens.switch_heads(at);
        let known: usize = cases.cases.values().map(|list| list.blocks.len()).sum();
        let found: usize = heads
            .as_ref()
            .map_or(0, |h| h.iter().map(|h| h.cases.len()).sum());
        let agree = heads
            .as_ref()
            .is_some_and(|h| h.len() == cases.expressions.len());
        let Some(heads) = heads.filter(|_| agree && known == found) else {
            self.refuse(
                Code::Refused,
                at,
                "a case of this switch is not a plain literal",
                "use numbers, strings, characters, `true`, `false`, `()` and ranges of numbers as cases, and a variable as the value",
            );
            return Expr {
                kind: ExprKind::Wrong,
                pos: at,
            };
        };
        let mut switch = Switch {
            item,
            arms: Vec::new(),
            default: None,
        };
        for (head, arm) in heads.into_iter().zip(cases.expressions.iter()) {
            let cond = match &arm.lhs {
                RExpr::BoolConstant(true, _) => None,
                cond => Some(self.expr(cond)),
            };
            self.pos = head.pos;
            let body = match &arm.rhs {
                RExpr::Stmt(block) => self.block(block),
                e => {
                    let e = self.expr(e);
                    Block {
                        stmts: vec![Stmt {
                            pos: e.pos,
                            kind: StmtKind::Expr(e),
                        }],
                    }
                }
            };
            if head.default {
                switch.default = Some(body);
            } else {
                switch.arms.push(Arm {
                    cases: head.cases,
                    cond,
                    body,
                });
            }
        }
        Expr {
            kind: ExprKind::Switch(Box::new(switch)),
            pos: at,
        }
    }
}
