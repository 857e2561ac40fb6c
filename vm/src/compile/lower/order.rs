//! The order in which the parts of a chain are evaluated.

use super::Lower;
use crate::host::Host;
use crate::tree::{self, Expr, ExprKind, Step, StepKind};

/// Whether an expression has the same value wherever in its chain it is evaluated.
fn is_settled(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::Var(_)
            | ExprKind::Qualified(..)
            | ExprKind::This
            | ExprKind::Closure(_)
            | ExprKind::FnName(_)
    )
}

/// Whether an expression calls or changes something.
fn acts(e: &Expr) -> bool {
    let mut found = match &e.kind {
        ExprKind::Call { .. } | ExprKind::Block(_) | ExprKind::If { .. } | ExprKind::Switch(_) => {
            true
        }
        ExprKind::Chain { steps, .. } => steps
            .iter()
            .any(|s| matches!(s.kind, StepKind::Method { .. })),
        _ => false,
    };
    tree::children(e, &mut |child| found |= acts(child));
    found
}

impl<H: Host> Lower<'_, '_, H> {
    /// Rhai evaluates the arguments and indices of a whole chain, left to right, before its root and its first call. Where the difference
    /// could be seen, so do we; elsewhere they are evaluated where they are needed.
    pub(super) fn arguments_first(&mut self, root: &Expr, steps: &[Step]) {
        let mut open: Vec<(usize, &Expr)> = Vec::new();
        for (n, step) in steps.iter().enumerate() {
            let args = match &step.kind {
                StepKind::Property(_) => &[],
                StepKind::Index(i) => std::slice::from_ref(i),
                StepKind::Method { args, .. } => &args[..],
            };
            let settled = |e: &Expr| is_settled(e) || self.fold(e).is_some();
            open.extend(args.iter().filter(|e| !settled(e)).map(|e| (n, e)));
        }
        let Some((last, _)) = open.last() else {
            return;
        };
        let is_method = |step: &Step| matches!(step.kind, StepKind::Method { .. });
        let acted_before = acts(root) || steps[..*last].iter().any(is_method);
        let acting = open.iter().any(|(_, e)| acts(e));
        let seen = !is_settled(root) || open.len() > 1 || steps.iter().any(|s| s.safe);
        if acted_before || acting && seen {
            for (_, e) in open {
                let val = self.expr(e, None);
                self.ready.push((e, val));
            }
        }
    }
}
