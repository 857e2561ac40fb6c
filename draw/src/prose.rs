//! Rulebooks are Markdown: what of it they use, as blocks, and words with their weight.

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProsePart {
    Heading(String),
    Paragraph(String),
    /// What stands before it, and the item.
    Item(String, String),
    /// Rows of cells; the first one are the titles.
    Table(Vec<Vec<String>>),
}

/// A word, and whether it is bold.
pub type ProseWord = (String, bool);

/// The blocks of a text.
pub fn blocks(text: &str) -> Vec<ProsePart> {
    let mut blocks: Vec<ProsePart> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() {
            open = false;
            continue;
        }
        let numbered = line.split_once(". ").filter(|(number, _)| {
            !number.is_empty() && number.len() < 4 && number.bytes().all(|b| b.is_ascii_digit())
        });
        if let Some(title) = line.strip_prefix('#') {
            let title = title.trim_start_matches('#').trim();
            let title = title.split_once(" {#").map_or(title, |(title, _)| title);
            blocks.push(ProsePart::Heading(title.to_string()));
            open = false;
        } else if line.starts_with('|') {
            row(line, &mut blocks);
            open = false;
        } else if let Some(item) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
            blocks.push(ProsePart::Item("•".into(), item.to_string()));
            open = true;
        } else if let Some((number, item)) = numbered {
            blocks.push(ProsePart::Item(format!("{number}."), item.to_string()));
            open = true;
        } else {
            match (open, blocks.last_mut()) {
                (true, Some(ProsePart::Paragraph(text) | ProsePart::Item(_, text))) => {
                    text.push(' ');
                    text.push_str(line);
                }
                _ => blocks.push(ProsePart::Paragraph(line.to_string())),
            }
            open = true;
        }
    }
    blocks
}

fn row(line: &str, blocks: &mut Vec<ProsePart>) {
    let cells = line
        .trim_matches('|')
        .split('|')
        .map(|cell| cell.trim().to_string());
    let cells: Vec<String> = cells.collect();
    let is_rule = cells
        .iter()
        .all(|cell| cell.chars().all(|c| "-: ".contains(c)));
    match blocks.last_mut() {
        _ if is_rule && cells.iter().any(|cell| !cell.is_empty()) => {}
        Some(ProsePart::Table(rows)) => rows.push(cells),
        _ => blocks.push(ProsePart::Table(vec![cells])),
    }
}

/// The words of a line: `**bold**`, `*said so*`, `` `code` `` and `[links](..)` without their signs.
pub fn words(text: &str) -> Vec<ProseWord> {
    let mut words: Vec<ProseWord> = Vec::new();
    for (n, part) in unlinked(text).split("**").enumerate() {
        let bold = n % 2 == 1;
        let glued = n > 0 && !part.starts_with(char::is_whitespace);
        for (m, word) in part.split_whitespace().enumerate() {
            let word: String = word.chars().filter(|c| !"*`".contains(*c)).collect();
            let is_sign = word.chars().all(|c| c.is_ascii_punctuation());
            match words.last_mut() {
                // A sign right behind a bold word stays with it.
                Some((last, _)) if m == 0 && glued && !bold && is_sign => last.push_str(&word),
                _ if word.is_empty() => {}
                _ => words.push((word, bold)),
            }
        }
    }
    words
}

/// Links are what they say.
fn unlinked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, to)) = rest.split_once("](") {
        let Some((_, behind)) = to.split_once(')') else {
            break;
        };
        match before.rsplit_once('[') {
            Some((before, said)) => {
                out.push_str(before);
                out.push_str(said);
                rest = behind;
            }
            None => {
                out.push_str(before);
                out.push_str("](");
                rest = to;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulebooks_are_understood() {
        let text = "# Title {#t}\n\nOne line\nand its rest.\n\n- first\n  goes on\n2. second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let item = |sign: &str, text: &str| ProsePart::Item(sign.into(), text.into());
        let row = |cells: [&str; 2]| cells.map(str::to_string).to_vec();
        assert_eq!(
            blocks(text),
            [
                ProsePart::Heading("Title".into()),
                ProsePart::Paragraph("One line and its rest.".into()),
                item("•", "first goes on"),
                item("2.", "second"),
                ProsePart::Table(vec![row(["a", "b"]), row(["1", "2"])]),
            ]
        );
    }

    #[test]
    fn words_have_their_weight() {
        let said = words("The **order of play**, *drawn*: see [here](#x) `now`");
        let bold: Vec<&str> = said.iter().filter(|w| w.1).map(|w| w.0.as_str()).collect();
        let all: Vec<&str> = said.iter().map(|w| w.0.as_str()).collect();
        assert_eq!(bold, ["order", "of", "play,"]);
        assert_eq!(all.join(" "), "The order of play, drawn: see here now");
    }
}
