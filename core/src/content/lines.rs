//! Two texts line by line: what was taken out, what was put in, and a little of what stayed around it.

/// A line of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedLine<'t> {
    Kept(&'t str),
    Out(&'t str),
    In(&'t str),
    /// Lines that are the same, left out.
    Skipped(usize),
}

/// Lines shown around a difference.
const AROUND: usize = 2;
/// Texts longer than this are shown one after the other: comparing them would take long, and nobody would read it.
const LONGEST: usize = 2_000;

/// What differs, with a few lines around it.
pub fn differences<'t>(before: &'t str, after: &'t str) -> Vec<ComparedLine<'t>> {
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let all = match a.len().max(b.len()) > LONGEST {
        true => {
            let out = a.iter().map(|line| ComparedLine::Out(line));
            out.chain(b.iter().map(|line| ComparedLine::In(line)))
                .collect()
        }
        false => aligned(&a, &b),
    };
    shortened(all)
}

/// All lines of both, the longest common row of lines kept.
fn aligned<'t>(a: &[&'t str], b: &[&'t str]) -> Vec<ComparedLine<'t>> {
    // How many lines can be kept from here on.
    let width = b.len() + 1;
    let mut kept = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            kept[i * width + j] = match a[i] == b[j] {
                true => kept[(i + 1) * width + j + 1] + 1,
                false => kept[(i + 1) * width + j].max(kept[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            lines.push(ComparedLine::Kept(a[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len()
            || i < a.len() && kept[(i + 1) * width + j] >= kept[i * width + j + 1]
        {
            lines.push(ComparedLine::Out(a[i]));
            i += 1;
        } else {
            lines.push(ComparedLine::In(b[j]));
            j += 1;
        }
    }
    lines
}

/// Without the lines that are far from any difference.
fn shortened(all: Vec<ComparedLine<'_>>) -> Vec<ComparedLine<'_>> {
    let differs = |line: &ComparedLine<'_>| !matches!(line, ComparedLine::Kept(_));
    let near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        all[from..(at + AROUND + 1).min(all.len())]
            .iter()
            .any(differs)
    };
    let mut shown = Vec::new();
    let mut skipped = 0;
    for (at, line) in all.iter().enumerate() {
        if !near(at) {
            skipped += 1;
            continue;
        }
        if skipped > 0 {
            shown.push(ComparedLine::Skipped(skipped));
            skipped = 0;
        }
        shown.push(*line);
    }
    if skipped > 0 && !shown.is_empty() {
        shown.push(ComparedLine::Skipped(skipped));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_shown_with_what_stands_around_it() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh";
        let after = "a\nb\nc\nd\nE\nf\ng\nh";
        use ComparedLine::*;
        assert_eq!(
            differences(before, after),
            [
                Skipped(2),
                Kept("c"),
                Kept("d"),
                Out("e"),
                In("E"),
                Kept("f"),
                Kept("g"),
                Skipped(1)
            ]
        );
        assert_eq!(differences("", "x"), [In("x")]);
        assert_eq!(differences("x\ny", "x\ny"), []);
    }
}
