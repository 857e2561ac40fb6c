//! What one types.

pub mod lab;
pub mod packs;

use clap::{Args, Parser, Subcommand};
use ludoteca::play::say::Language;
use std::path::PathBuf;

/// Board and card games as text files: check them, play them, simulate them.
#[derive(Debug, Parser)]
#[command(name = "ludoteca", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// Folders with more content, in order; each changes what came before
    #[arg(long, global = true, env = "LUDOTECA_CONTENT", value_delimiter = ':')]
    pub content: Vec<PathBuf>,
    /// Plays with exactly the packs of ludoteca.lock, or not at all
    #[arg(long, global = true)]
    pub locked: bool,
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
    /// Shows a saved match and verifies it
    Replay(Replay),
    /// Starts a game, a variant or a pack that already passes `check`
    New(New),
    /// Where a value comes from
    Explain(Explain),
    /// What two variants of a game change
    Diff(Diff),
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
}

#[derive(Debug, Args)]
pub struct List {
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reader: Reader,
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
    #[command(flatten)]
    pub reader: Reader,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    pub game: GameChoice,
    /// How many players; the fewest the game allows if left out
    #[arg(long)]
    pub players: Option<u8>,
    /// Who sits where, or one for all: human, random, policy, greedy, rollout:100, search:100, search:2s; with --stdio also remote
    #[arg(long, value_delimiter = ',')]
    pub seats: Vec<String>,
    /// The same seed and answers give the same match; any if left out
    #[arg(long)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub reader: Reader,
    /// Goes on with a saved match
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// Saves the match here when it ends or is left
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
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
    /// Does not count how often one address asks, for measuring
    #[arg(long)]
    pub unlimited: bool,
    /// Takes the files of the page from this folder instead of those built in
    #[arg(long, value_name = "DIR")]
    pub client: Option<PathBuf>,
}

fn base_path(written: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/-_.~".contains(c);
    let path = written.trim_end_matches('/');
    if !path.is_empty()
        && (!path.starts_with('/') || path.contains("//") || !path.chars().all(plain))
    {
        return Err("a path such as /games".into());
    }
    Ok(path.to_string())
}

/// Who reads.
#[derive(Debug, Args)]
pub struct Reader {
    /// The language of texts: es or en
    #[arg(long, env = "LUDOTECA_LANG", default_value = "es", value_parser = language)]
    pub lang: Language,
}

fn language(written: &str) -> Result<Language, String> {
    match written {
        "es" => Ok(Language::Es),
        "en" => Ok(Language::En),
        _ => Err("the languages are es and en".into()),
    }
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
    /// Ends with what this seat sees
    #[arg(long, value_name = "N")]
    pub seat: Option<u8>,
    #[command(flatten)]
    pub reader: Reader,
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
    #[command(flatten)]
    pub reader: Reader,
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
    /// A value or a table: prices.unit, max_attacks, cards.bold_attack.cost
    pub key: String,
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
