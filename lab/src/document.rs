//! A report before it is written: what it says in words, its pictures with their numbers, its tables. It can be written as a page (HTML), as
//! Markdown to paste somewhere, and as lines for a terminal.

mod html;
mod markdown;
mod text;

use ludoteca::Language;

/// Names of many that are shown where they cannot be folded away.
const NAMED: usize = 12;

/// Words in the reader's language.
#[derive(Debug, Clone, Copy)]
pub struct Words(pub Language);

impl Words {
    pub fn say<'a>(self, es: &'a str, en: &'a str) -> &'a str {
        match self.0 {
            Language::Es => es,
            Language::En => en,
        }
    }
}

/// A report.
#[derive(Debug, Clone)]
pub struct Document {
    pub title: String,
    pub words: Words,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone)]
pub enum Block {
    Heading(String),
    /// What is to be thought, a sentence each.
    Verdict(Vec<String>),
    Paragraph(String),
    /// Names of which there may be very many: what they have in common, and they.
    Many(String, Vec<String>),
    /// What need not be read.
    Small(String),
    Table(Tabular),
    Figure(Figure),
    /// What can be typed.
    Commands(Vec<String>),
}

/// Heads above, a row of cells for each thing below. The first column says what the row is about.
#[derive(Debug, Clone, Default)]
pub struct Tabular {
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Rows that are to be seen first.
    pub strong: Vec<usize>,
}

impl Tabular {
    pub fn new<H: Into<String>>(heads: impl IntoIterator<Item = H>) -> Tabular {
        Tabular {
            heads: heads.into_iter().map(Into::into).collect(),
            ..Tabular::default()
        }
    }

    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The same row, to be seen first.
    pub fn strong_row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.strong.push(self.rows.len());
        self.row(cells);
    }

    /// The table as CSV.
    pub fn csv(&self) -> String {
        let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |cells: &Vec<String>| cells.iter().map(quoted).collect::<Vec<_>>().join(",");
        let lines = std::iter::once(&self.heads).chain(&self.rows).map(line);
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// A picture, and the numbers it was drawn from.
#[derive(Debug, Clone)]
pub struct Figure {
    pub svg: String,
    pub caption: String,
    /// The names of its lines, in the order of their colours; none if there is one line.
    pub legend: Vec<String>,
    pub data: Tabular,
}

impl Document {
    pub fn new(title: impl Into<String>, language: Language) -> Document {
        Document {
            title: title.into(),
            words: Words(language),
            blocks: Vec::new(),
        }
    }

    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(text.into()));
    }

    pub fn verdict(&mut self, sentences: Vec<String>) {
        if !sentences.is_empty() {
            self.blocks.push(Block::Verdict(sentences));
        }
    }

    pub fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    pub fn many(&mut self, said: impl Into<String>, names: Vec<String>) {
        if !names.is_empty() {
            self.blocks.push(Block::Many(said.into(), names));
        }
    }

    pub fn small(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Small(text.into()));
    }

    pub fn table(&mut self, table: Tabular) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    pub fn figures(&mut self, figures: Vec<Figure>) {
        self.blocks.extend(figures.into_iter().map(Block::Figure));
    }

    /// A picture before all others.
    pub fn first_figure(&mut self, figure: Figure) {
        let is_figure = |block: &Block| matches!(block, Block::Figure(_));
        let at = self.blocks.iter().position(is_figure);
        self.blocks
            .insert(at.unwrap_or(self.blocks.len()), Block::Figure(figure));
    }

    pub fn commands(&mut self, commands: Vec<String>) {
        if !commands.is_empty() {
            self.blocks.push(Block::Commands(commands));
        }
    }

    /// The first of many names, and how many more there are, where nothing can be folded away.
    fn first_of(&self, said: &str, names: &[String]) -> String {
        let more = names.len().saturating_sub(NAMED);
        let shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>();
        let shown = format!("{said}: {}", shown.join(", "));
        match (more, self.words.0) {
            (0, _) => shown,
            (_, Language::Es) => format!("{shown} y {more} más, en --report y --json"),
            (_, Language::En) => format!("{shown} and {more} more, in --report and --json"),
        }
    }

    /// One page that needs nothing else: no network, no script.
    pub fn html(&self) -> String {
        html::page(self)
    }

    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// Lines for a terminal.
    pub fn text(&self) -> String {
        text::write(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Document {
        let mut document = Document::new("Heap | stones", Language::En);
        document.verdict(vec!["Nothing differs.".into()]);
        let mut table = Tabular::new(["measure", "mean"]);
        table.row(["rounds", "5.58"]);
        table.strong_row(["a|b, \"c\"", "12"]);
        document.figures(vec![Figure {
            svg: "<svg></svg>".into(),
            caption: "How long <they> last.".into(),
            legend: vec!["one".into(), "two".into()],
            data: table.clone(),
        }]);
        document.many("Never used", (0..20).map(|n| format!("card {n}")).collect());
        document.many("Few", vec!["one".into()]);
        document.heading("Measures");
        document.table(table);
        document.commands(vec!["ludoteca sim heap".into()]);
        document
    }

    #[test]
    fn a_page_has_everything_and_needs_nothing() {
        let page = small().html();
        for wanted in [
            "<title>Heap | stones</title>",
            "Nothing differs.",
            "How long &lt;they&gt; last.",
            "<details>",
            "&quot;a|b, &quot;&quot;c&quot;&quot;&quot;,12",
            "ludoteca sim heap",
            "<summary>Never used</summary><p>card 0, ",
            "<p>Few: one</p>",
        ] {
            assert!(page.contains(wanted), "{wanted} is not in {page}");
        }
        assert!(!page.contains("<script") && !page.contains("href="));
    }

    #[test]
    fn markdown_and_lines() {
        let markdown = small().markdown();
        assert!(
            markdown.starts_with("# Heap \\| stones\n\n- Nothing differs.\n"),
            "{markdown}"
        );
        assert!(
            markdown.contains("| **a\\|b, \"c\"** | **12** |"),
            "{markdown}"
        );
        let text = small().text();
        assert!(
            text.contains("measure   mean\nrounds    5.58\na|b, \"c\"    12\n"),
            "{text}"
        );
        assert!(!text.contains("svg"));
        for written in [text, markdown] {
            let names = "card 11 and 8 more, in --report and --json\n";
            assert!(written.contains(names), "{written}");
        }
    }
}
