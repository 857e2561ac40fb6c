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
/// What is longer where it differs is shown one after the other: every line of one is held against every line of the other, and a game
/// may be full of such texts.
const COMPARED: usize = 500;

/// What differs, with a few lines around it.
pub fn differences<'t>(before: &'t str, after: &'t str) -> Vec<ComparedLine<'t>> {
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    // Most texts begin and end alike.
    let pairs = a.iter().zip(&b);
    let start = pairs.take_while(|(a, b)| a == b).count();
    let pairs = a[start..].iter().rev().zip(b[start..].iter().rev());
    let end = pairs.take_while(|(a, b)| a == b).count();
    let (was, is) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let kept = |line: &&'t str| ComparedLine::Kept(line);
    let mut all: Vec<ComparedLine<'t>> = a[..start].iter().map(kept).collect();
    match was.len().max(is.len()) > COMPARED {
        true => {
            all.extend(was.iter().map(|line| ComparedLine::Out(line)));
            all.extend(is.iter().map(|line| ComparedLine::In(line)));
        }
        false => all.extend(aligned(was, is)),
    }
    all.extend(a[a.len() - end..].iter().map(kept));
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
        assert_eq!(
            differences("x\ny", "x\ny\ny"),
            [Kept("x"), Kept("y"), In("y")]
        );
    }

    #[test]
    fn long_texts_that_differ_throughout_are_shown_one_after_the_other() {
        let text = |from: usize| -> String {
            let lines = (0..=COMPARED).map(|n| format!("{}\n", from + n));
            format!("first\n{}last", lines.collect::<String>())
        };
        let (before, after) = (text(0), text(1));
        let found = differences(&before, &after);
        let many = |wanted: fn(&ComparedLine) -> bool| found.iter().filter(|l| wanted(l)).count();
        assert_eq!(
            many(|line| matches!(line, ComparedLine::Out(_))),
            COMPARED + 1
        );
        assert_eq!(
            many(|line| matches!(line, ComparedLine::In(_))),
            COMPARED + 1
        );
        let kept = [found[0], found[found.len() - 1]];
        assert_eq!(
            kept,
            [ComparedLine::Kept("first"), ComparedLine::Kept("last")]
        );
    }
}
