//! What one types about spreadsheets and paper.

use super::GameChoice;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum TableCommand {
    /// Writes the cards of a kind, or a table, as a spreadsheet
    Export(Export),
    /// Writes an edited spreadsheet into the game's files, or as a variant
    Import(Import),
}

#[derive(Debug, Args)]
pub struct Export {
    /// The game's id
    pub game: String,
    /// A kind of cards, or a table
    pub name: String,
    /// Variants to apply, in order
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,
    /// The file, .csv or .xlsx; without it the sheet goes to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Import {
    /// The game's id
    pub game: String,
    /// The sheet, .csv or .xlsx
    pub file: PathBuf,
    /// Writes the changes as a variant of this name, and leaves the game as it is
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Says what would change, and changes nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct Print {
    #[command(flatten)]
    pub game: GameChoice,
    /// Only the cards of this kind
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// Only what differs from a variant, several joined by `+`, or `base`
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// Only these: cards, boards, tokens, rules; all if left out
    #[arg(long, value_delimiter = ',', value_enum, conflicts_with = "kind")]
    pub only: Vec<PrintPart>,
    /// The paper
    #[arg(long, value_enum, default_value_t = PaperName::A4)]
    pub paper: PaperName,
    /// By the ending of the file if left out
    #[arg(long, value_enum)]
    pub format: Option<PrintFormat>,
    /// Dots an inch of a PNG
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(50..=600))]
    pub dots: u32,
    /// The file; pictures are one file a page, numbered
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PrintPart {
    Cards,
    Boards,
    Tokens,
    Rules,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PaperName {
    A4,
    Letter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PrintFormat {
    Pdf,
    Png,
    Svg,
}
