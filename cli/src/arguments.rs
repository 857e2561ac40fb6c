//! What one types.

pub mod lab;
pub mod packs;
pub mod paper;

use crate::words;
use clap::{Args, Parser, Subcommand, ValueEnum};
use ludoteca::Language;
use std::path::PathBuf;

/// Board and card games as text files: check them, play them, simulate them.
#[derive(Debug, Parser)]
#[command(
    name = "ludoteca",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// Folders with more content, in order; each changes what came before
    #[arg(long, global = true, env = "LUDOTECA_CONTENT", value_delimiter = ':')]
    pub content: Vec<PathBuf>,
    /// Plays with exactly the packs of ludoteca.lock, or not at all
    #[arg(long, global = true)]
    pub locked: bool,
    /// The language of texts: es or en; that of the locale if left out
    #[arg(long, global = true, env = "LUDOTECA_LANG", value_parser = language)]
    pub lang: Option<Language>,
    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Colour,
}

/// When something is written in colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// The games and variants there are
    List(List),
    /// Validates content and says everything that is wrong
    Check(Check),
    /// Plays one match: people at this terminal, bots, programs
    Play(Play),
    /// The table in the browser: plays matches on pages of this machine, or of others
    Serve(Serve),
    /// The rulebook of a game, or a topic of it
    Rules(Rules),
    /// Plays many games with bots and reports
    Sim(lab::Sim),
    /// Plays the same games on two sides and says what differs
    Compare(lab::Compare),
    /// Plays many games for each value of a parameter
    Sweep(lab::Sweep),
    /// Searches parameters for a stated goal
    Tune(lab::Tune),
    /// Lets bots play each other, from the weakest to the strongest
    Ladder(lab::Ladder),
    /// Fits the scale from a game's opinion of a position to chances of winning, and says how much it knows
    Calibrate(lab::Calibrate),
    /// Shows which choices of a saved match cost most, and what would have been better
    Review(Review),
    /// Reports on results that were written before
    Report(lab::Report),
    /// Counts the ways to make so many moves, exactly
    Perft(Perft),
    /// Runs scenarios
    Test(Test),
    /// On every save: what is wrong, which scenarios hold, and what the change does to many games
    Watch(Watch),
    /// Shows a saved match as a film, or its whole log, and verifies it
    Replay(Replay),
    /// Starts a game, a variant or a pack that already passes `check`
    New(New),
    /// Where a value comes from, what it means and which rules read it; or what a mistake is, by its code
    Explain(Explain),
    /// A file of the content as it is read, also one that is built in
    Show(Show),
    /// The files of a game as a folder, to read or to start from
    Export(Export),
    /// What two variants of a game change
    Diff(Diff),
    /// Cards and tables as spreadsheets, out of the files and back
    #[command(subcommand)]
    Table(paper::TableCommand),
    /// Cards, boards, tokens and rules on paper
    Print(paper::Print),
    /// Packs by others: gets, shows, makes, signs and publishes them
    #[command(subcommand)]
    Pack(packs::Pack),
    /// An index of packs, which is plain files in a folder
    #[command(subcommand)]
    Index(packs::Index),
    /// Writes what renamed words are called now, and shows what it changes
    Fix(packs::Fix),
    /// What scripts may use
    Api(Api),
    /// JSON Schemas of the files, for editors
    Schema(Schema),
    /// Puts blanks and indentation of rules and content in order; what they mean stays
    Fmt(Fmt),
    /// The language server: editors start it and speak with it over standard input and output
    Lsp(Lsp),
    /// What is installed, which packs are read, and where things lie
    Doctor(Doctor),
    /// What a shell completes: ludoteca completions bash > FILE
    Completions(Completions),
    /// The manual
    Man(Man),
    /// A command, or a topic of the documents
    Help(Help),
}

#[derive(Debug, Args)]
pub struct Watch {
    #[command(flatten)]
    pub game: GameChoice,
    /// How many games on each side
    #[arg(short = 'n', long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// How many players; the fewest the game allows if left out
    #[arg(long)]
    pub players: Option<u8>,
    /// A bot for each seat, or one for all: random, policy, greedy, rollout:100, search:100
    #[arg(long, value_delimiter = ',', default_value = "policy")]
    pub bots: Vec<String>,
    /// What to compare with: a variant, or `base`; what it was when watching began if left out
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// The first game's seed; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct Show {
    /// A path such as cards/GAME/tables.toml; a game lists its files
    pub file: String,
}

#[derive(Debug, Args)]
pub struct Export {
    /// The game's id
    pub game: String,
    /// The folder to write, which must not be there yet
    pub dir: PathBuf,
    /// Makes it a game of your own, under this id, in a pack that passes `check`
    #[arg(long = "as", value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct Doctor {
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Completions {
    /// bash, elvish, fish, powershell or zsh
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct Man {
    /// Writes a page for each command into a folder
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Help {
    /// A command or a topic; all of them are listed if left out
    pub topic: Option<String>,
}

#[derive(Debug, Args)]
pub struct List {
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Check {
    /// A game, or the folder of a pack; everything if left out
    pub target: Option<String>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
    /// Looks at it in a process of its own, which may use little and write nothing
    #[arg(long)]
    pub isolated: bool,
    /// Is that process
    #[arg(long, hide = true, conflicts_with = "isolated")]
    pub confined: bool,
}

/// A game with its variants and settings.
#[derive(Debug, Args)]
pub struct GameChoice {
    /// The game's id; `ludoteca list` shows them
    pub game: String,
    /// Variants to apply, in order
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,
    /// A value to change: prices.unit.resources=3
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Rules {
    #[command(flatten)]
    pub game: GameChoice,
    /// A topic by its id, its title or the beginning of one; everything if left out
    pub topic: Option<String>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Play {
    /// The game's id; `ludoteca list` shows them. Left out, a match that was begun goes on
    pub game: Option<String>,
    /// Variants to apply, in order
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,
    /// A value to change: prices.unit.resources=3
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// How many players; the fewest the game allows if left out
    #[arg(long)]
    pub players: Option<u8>,
    /// Who sits where, or one for all: human, random, policy, greedy, rollout:100, search:100, search:2s; with --stdio also remote
    #[arg(long, value_delimiter = ',')]
    pub seats: Vec<String>,
    /// The same seed and answers give the same match; any if left out
    #[arg(long)]
    pub seed: Option<u64>,
    /// Goes on with a saved match
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// Keeps the match here; in a folder of yours if left out
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Shows the whole log when only bots play, or writes the log of any match to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with_all = ["stdio", "browser"])]
    pub log: Option<Option<PathBuf>>,
    /// Lines of JSON instead of a terminal, for programs; see docs/protocol.md
    #[arg(long)]
    pub stdio: bool,
    /// The table in the browser instead of a terminal; opens the page
    #[arg(long, conflicts_with_all = ["stdio", "save"])]
    pub browser: bool,
}

#[derive(Debug, Args)]
pub struct Serve {
    /// The folder matches are kept in; one of the user's own if left out
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The address to listen at; 0.0.0.0 opens it to other machines
    #[arg(long, default_value = "127.0.0.1")]
    pub host: std::net::IpAddr,
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 7878)]
    pub port: u16,
    /// What comes before all addresses, behind a server that passes requests on
    #[arg(long, value_name = "PATH", default_value = "", value_parser = base_path)]
    pub base_path: String,
    /// Another address the page is reached at, if a server passes requests on: https://example.org
    #[arg(long, value_name = "ORIGIN")]
    pub origin: Vec<String>,
    /// Reads edited files into running matches
    #[arg(long)]
    pub watch: bool,
    /// Edits the games of this folder on a page: the workbench
    #[arg(long, value_name = "DIR")]
    pub edit: Option<PathBuf>,
    /// What one must have to edit, where other machines are let in; left out, one that nobody can guess is made
    #[arg(long, value_name = "TOKEN", requires = "edit", value_parser = token)]
    pub edit_token: Option<String>,
    /// Does not count how often one address asks, for measuring
    #[arg(long)]
    pub unlimited: bool,
    /// Takes the files of the page from this folder instead of those built in
    #[arg(long, value_name = "DIR")]
    pub client: Option<PathBuf>,
}

fn token(written: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match written.len() >= 16 && written.chars().all(plain) {
        true => Ok(written.to_string()),
        false => Err(words::say!(
            "al menos 16 letras, cifras, - y _",
            "at least 16 letters, digits, - and _"
        )),
    }
}

fn base_path(written: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/-_.~".contains(c);
    let path = written.trim_end_matches('/');
    if !path.is_empty()
        && (!path.starts_with('/') || path.contains("//") || !path.chars().all(plain))
    {
        return Err(words::word!("una ruta como /juegos", "a path such as /games").into());
    }
    Ok(path.to_string())
}

fn language(written: &str) -> Result<Language, String> {
    let known = words::named(written);
    known.ok_or_else(|| {
        words::word!("las lenguas son es y en", "the languages are es and en").into()
    })
}

#[derive(Debug, Args)]
pub struct Test {
    /// A game, a scenario file or a folder; all scenarios below tests/scenarios if left out
    pub target: Option<String>,
    /// Says which lines of a game's rules no scenario runs, and which of them random games do
    #[arg(long, conflicts_with = "mutate")]
    pub coverage: bool,
    /// Changes one number, comparison or call of a game's rules at a time and lists the changes no scenario notices
    #[arg(long)]
    pub mutate: bool,
    /// Tries so many of the changes only
    #[arg(long, value_name = "N", requires = "mutate")]
    pub sample: Option<usize>,
    /// Draws the sample
    #[arg(long, value_name = "S", default_value_t = 1, requires = "mutate")]
    pub seed: u64,
    /// Threads; one for each core if left out
    #[arg(long, value_name = "N", default_value_t = 0, requires = "mutate")]
    pub jobs: usize,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Perft {
    #[command(flatten)]
    pub game: GameChoice,
    /// How many moves
    #[arg(long, value_name = "N")]
    pub depth: usize,
    /// Starts from a position in the notation of the game's players, which its `read_position` reads
    #[arg(long, value_name = "TEXT", conflicts_with = "position")]
    pub fen: Option<String>,
    /// Starts from the position of a scenario file's first scenario
    #[arg(long, value_name = "FILE")]
    pub position: Option<PathBuf>,
    /// Counts for each first move as well
    #[arg(long)]
    pub divide: bool,
    /// How many players; the fewest the game allows if left out
    #[arg(long)]
    pub players: Option<u8>,
    /// Of what is left to luck
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Replay {
    /// The transcript
    pub file: PathBuf,
    /// Plays it on other content as far as it goes
    #[arg(long)]
    pub anyway: bool,
    /// From this seat's eyes, counted from 0; its last view with --json
    #[arg(long, value_name = "N")]
    pub seat: Option<u8>,
    /// The film, though nobody sits at a terminal: what is typed comes from a pipe
    #[arg(long, hide = true, conflicts_with_all = ["json", "log"])]
    pub film: bool,
    /// The whole log instead of the film, on the screen or in a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub log: Option<Option<PathBuf>>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Review {
    /// The transcript
    pub file: PathBuf,
    /// Only this seat's choices; those of people if left out, everybody's if there are none
    #[arg(long, value_name = "N")]
    pub seat: Option<u8>,
    /// Lines of thought for each choice
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub lines: u32,
    /// How many choices are shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub most: usize,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct New {
    #[command(subcommand)]
    pub what: NewThing,
}

#[derive(Debug, Subcommand)]
pub enum NewThing {
    /// The smallest game that plays, with a scenario; a pack of its own unless made inside one
    Game {
        /// Its id: lower case letters, digits and `-`
        name: String,
        /// Where the folder goes
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// A variant of a game, in one file
    Variant {
        game: String,
        /// Its id: lower case letters, digits and `-`
        name: String,
        /// The pack it goes into
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// Sets what `tune` found: what it wrote with --json
        #[arg(long, value_name = "REPORT.json")]
        from: Option<PathBuf>,
    },
    /// A pack of your own: a folder to put games and changes into
    Pack {
        /// Its name: lower case letters, digits and `-`
        name: String,
        /// Where the folder goes
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    pub game: GameChoice,
    /// A value, a table or a part of a name: prices.unit, max_attacks, unit; left out where the first is a code such as E011
    pub key: Option<String>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Diff {
    /// The game's id
    pub game: String,
    /// A variant, several joined by `+`, or `base`
    pub left: String,
    /// What to compare it with
    pub right: String,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Api {
    /// What this game declares, instead of what all may use
    pub game: Option<String>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
    /// Definitions for editors that know Rhai (.d.rhai)
    #[arg(long, conflicts_with = "json")]
    pub definitions: bool,
}

#[derive(Debug, Args)]
pub struct Schema {
    /// One of them; their names if left out
    pub name: Option<String>,
    /// Writes all of them into a folder
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Fmt {
    /// Files or folders; the pack one stands in if left out
    pub paths: Vec<PathBuf>,
    /// Changes nothing, and fails if something is not in order
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
pub struct Lsp {
    /// What editors add by habit; it is the only way to speak
    #[arg(long, hide = true)]
    pub stdio: bool,
}
