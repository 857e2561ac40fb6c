//! `ludoteca print`: cards, boards, tokens and rules on paper.

use crate::arguments::paper::{PaperName, Print, PrintFormat, PrintPart};
use crate::output::{Failure, Outcome, errln, unwritable};
use crate::words::{counted, errors::told, language, say, word};
use crate::{packs, progress};
use ludoteca::{Loaded, Selection, keep};
use ludoteca_draw::Book;
use ludoteca_press::{Job, Page, Paper, PressError, Printed, as_pictures, pages, pdf, png};
use std::path::{Path, PathBuf};

pub fn run(content: &[PathBuf], print: &Print) -> Outcome {
    let format = format(print)?;
    let game = &print.game.game;
    let loaded = packs::load_data(content, game, &packs::selection(&print.game)?)?;
    let before = match &print.against {
        Some(named) => Some(packs::load_data(content, game, &against(named))?),
        None => None,
    };
    let book = |loaded: &Loaded| Book::new(&loaded.definition, language());
    let (book, other) = (book(&loaded), before.as_ref().map(book));
    let against = other.as_ref().zip(before.as_ref());
    let job = Job {
        book: &book,
        rulebook: &loaded.definition.rulebook,
        against: against.map(|(book, loaded)| (book, loaded.definition.rulebook.as_slice())),
        kind: print.kind.clone(),
        parts: parts(print),
        paper: match print.paper {
            PaperName::A4 => Paper::A4,
            PaperName::Letter => Paper::Letter,
        },
    };
    let pages = pages(&job).map_err(failure)?;
    let title = language().of(&loaded.definition.title);
    let written = match format {
        PrintFormat::Pdf => {
            let bytes = pdf(&pages, title).map_err(failure)?;
            keep::write(&print.output, bytes).map_err(|e| unwritable(&print.output, &e))?;
            vec![print.output.clone()]
        }
        PrintFormat::Png => {
            as_pictures(&pages).map_err(failure)?;
            each(&print.output, &pages, |page| {
                png(page, print.dots).map_err(failure)
            })?
        }
        PrintFormat::Svg => each(&print.output, &pages, |page| Ok(page.svg().into_bytes()))?,
    };
    let many = counted(pages.len(), ["página", "páginas", "page", "pages"]);
    let files = names(&written);
    errln!("{}", say!("{many} en {files}", "{many} in {files}"));
    Ok(())
}

fn failure(error: PressError) -> Failure {
    Failure::Game(told(&error))
}

/// `base`, or variants joined by `+`.
fn against(named: &str) -> Selection {
    let variants = named
        .split('+')
        .map(str::trim)
        .filter(|name| *name != "base");
    Selection {
        variants: variants.map(str::to_string).collect(),
        set: Vec::new(),
    }
}

fn parts(print: &Print) -> Vec<Printed> {
    if print.kind.is_some() {
        return vec![Printed::Cards];
    }
    let part = |part: &PrintPart| match part {
        PrintPart::Cards => Printed::Cards,
        PrintPart::Boards => Printed::Boards,
        PrintPart::Tokens => Printed::Tokens,
        PrintPart::Rules => Printed::Rules,
    };
    match print.only.is_empty() {
        true => Printed::ALL.to_vec(),
        false => print.only.iter().map(part).collect(),
    }
}

fn format(print: &Print) -> Result<PrintFormat, Failure> {
    let ending = print
        .output
        .extension()
        .unwrap_or_default()
        .to_string_lossy();
    match (print.format, ending.to_lowercase().as_str()) {
        (Some(format), _) => Ok(format),
        (None, "pdf") => Ok(PrintFormat::Pdf),
        (None, "png") => Ok(PrintFormat::Png),
        (None, "svg") => Ok(PrintFormat::Svg),
        (None, _) => Err(Failure::Usage(say!(
            "{}: un archivo que acabe en .pdf, .png o .svg, o --format",
            "{}: a file that ends in .pdf, .png or .svg, or --format",
            print.output.display()
        ))),
    }
}

/// A file for each page: `cards.png` is `cards-01.png`, `cards-02.png` ..
fn each(
    path: &Path,
    pages: &[Page],
    bytes: impl Fn(&Page) -> Result<Vec<u8>, Failure>,
) -> Result<Vec<PathBuf>, Failure> {
    let digits = pages.len().to_string().len().max(2);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path
        .extension()
        .map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
    let mut written = Vec::new();
    let bar = progress::of(pages.len(), word!("páginas", "pages"));
    for (number, page) in pages.iter().enumerate() {
        let name = match pages.len() {
            1 => format!("{stem}{ending}"),
            _ => format!("{stem}-{:0digits$}{ending}", number + 1),
        };
        let path = path.with_file_name(name);
        keep::write(&path, bytes(page)?).map_err(|error| unwritable(&path, &error))?;
        written.push(path);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(written)
}

fn names(written: &[PathBuf]) -> String {
    match written {
        [one] => one.display().to_string(),
        [first, .., last] => say!("{} a {}", "{} to {}", first.display(), last.display()),
        [] => String::new(),
    }
}
