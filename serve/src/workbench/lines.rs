//! What differs between two texts, line by line.

use serde::Serialize;

/// Lines around a change that are shown with it.
const AROUND: usize = 2;
/// Beyond so many lines on each side the middle is told as a whole.
const MOST: usize = 2000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceLine {
    /// ` `, `-`, `+`, or `…` where lines are left out.
    pub sign: char,
    pub text: String,
}

/// The lines that differ, with a few around them.
pub fn changes(before: &str, after: &str) -> Vec<SourceLine> {
    let all = compared(before, after);
    let near = |at: usize| {
        let window = &all[at.saturating_sub(AROUND)..(at + AROUND + 1).min(all.len())];
        window.iter().any(|line| line.sign != ' ')
    };
    let mut told: Vec<SourceLine> = Vec::new();
    for (at, line) in all.iter().enumerate() {
        match near(at) {
            true => told.push(line.clone()),
            false if told.last().is_some_and(|last| last.sign == '…') => {}
            false => told.push(SourceLine {
                sign: '…',
                text: String::new(),
            }),
        }
    }
    told
}

/// Every line of both, those they share once.
fn compared(before: &str, after: &str) -> Vec<SourceLine> {
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |(x, y): &(&&str, &&str)| x == y;
    let head = a.iter().zip(&b).take_while(same).count();
    let tails = a[head..].iter().rev().zip(b[head..].iter().rev());
    let tail = tails.take_while(same).count();
    let line = |sign: char| {
        move |text: &&str| SourceLine {
            sign,
            text: text.to_string(),
        }
    };
    let mut told: Vec<SourceLine> = a[..head].iter().map(line(' ')).collect();
    let (x, y) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    if x.len().max(y.len()) > MOST {
        told.extend(x.iter().map(line('-')));
        told.extend(y.iter().map(line('+')));
    } else {
        told.extend(middle(x, y));
    }
    told.extend(a[a.len() - tail..].iter().map(line(' ')));
    told
}

/// The longest lines in common, in order, stay.
fn middle(x: &[&str], y: &[&str]) -> Vec<SourceLine> {
    let mut common = vec![vec![0u32; y.len() + 1]; x.len() + 1];
    for i in (0..x.len()).rev() {
        for j in (0..y.len()).rev() {
            common[i][j] = match x[i] == y[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut told = Vec::new();
    let mut tell = |sign, text: &str| {
        told.push(SourceLine {
            sign,
            text: text.to_string(),
        });
    };
    while i < x.len() || j < y.len() {
        if i < x.len() && j < y.len() && x[i] == y[j] {
            tell(' ', x[i]);
            (i, j) = (i + 1, j + 1);
        } else if j == y.len() || (i < x.len() && common[i + 1][j] >= common[i][j + 1]) {
            tell('-', x[i]);
            i += 1;
        } else {
            tell('+', y[j]);
            j += 1;
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &str, after: &str) -> String {
        let lines = changes(before, after);
        let told = lines
            .iter()
            .map(|line| format!("{}{}", line.sign, line.text));
        told.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn only_what_differs_is_told_with_a_few_lines_around() {
        assert_eq!(told("a\nb\n", "a\nb\n"), "…");
        assert_eq!(told("", "a\nb"), "+a|+b");
        assert_eq!(
            told("1\n2\n3\n4\n5\n6\n7", "1\n2\n3\nx\n5\n6\n7"),
            "…| 2| 3|-4|+x| 5| 6|…"
        );
        assert_eq!(told("a\nb\nc", "b\nc\nd"), "-a| b| c|+d");
    }
}
