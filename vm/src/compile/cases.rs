//! The cases of a `switch` as tables, so that the machine goes to the right one at once instead of asking one after the other.

use crate::code::{Op, Reg};
use crate::host::{Host, HostObject};
use crate::program::{Cases, Program};
use crate::value::Value;

/// Cases from which on a table is worth its operation.
pub(super) const FEWEST: usize = 4;

impl Cases {
    /// The cases that stand behind the operation at `at`, if all of them are texts, words or numbers.
    fn gather<O: HostObject>(
        code: &[Op],
        at: usize,
        of: Reg,
        constants: &[Value<O>],
        handles: &[Value<O>],
    ) -> Cases {
        let mut cases = Cases {
            all_texts: true,
            ..Cases::default()
        };
        let mut kind = None;
        let mut one_kind = true;
        let mut next = at + 1;
        while let Some(op) = code.get(next) {
            match *op {
                Op::JumpEqInt { a, i, t } if a == of => {
                    cases.numbers.push((i as i64, t));
                    (cases.all_texts, one_kind) = (false, false);
                }
                Op::JumpCase { a, k, t } if a == of => {
                    match &constants[k as usize] {
                        Value::Str(text) => cases.texts.push((text.clone(), t)),
                        _ => cases.all_texts = false,
                    }
                    match &handles[k as usize] {
                        Value::Handle(of, id) => {
                            one_kind &= *kind.get_or_insert(*of) == *of;
                            cases.words.push((*id, t));
                        }
                        _ => one_kind = false,
                    }
                }
                _ => break,
            }
            next += 1;
        }
        cases.kind = kind.filter(|_| one_kind);
        cases.otherwise = next as u32;
        // Stable, so that of equal cases the first comes first.
        cases.numbers.sort_by_key(|(number, _)| *number);
        cases.words.sort_by_key(|(id, _)| *id);
        cases.texts.sort_by(|(a, _), (b, _)| a.cmp(b));
        cases.numbers.dedup_by_key(|(number, _)| *number);
        cases.words.dedup_by_key(|(id, _)| *id);
        cases.texts.dedup_by(|(a, _), (b, _)| a == b);
        cases
    }
}

/// Makes the tables, once all of the code stands where it will stay.
pub(super) fn gather_all<H: Host>(program: &mut Program<H>) {
    for at in 0..program.code.len() {
        let Op::Switch { a, .. } = program.code[at] else {
            continue;
        };
        let cases = Cases::gather(&program.code, at, a, &program.constants, &program.handles);
        let k = program.cases.len() as u32;
        program.code[at] = Op::Switch { a, k };
        program.cases.push(cases);
    }
}
