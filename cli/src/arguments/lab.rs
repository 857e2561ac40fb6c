//! What one types to the lab: many games with bots.

use super::GameChoice;
use clap::Args;
use std::path::PathBuf;

/// What every run of many games needs to know.
#[derive(Debug, Clone, Args)]
pub struct Runs {
    /// How many games
    #[arg(short = 'n', long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// How many players; the fewest the game allows if left out
    #[arg(long)]
    pub players: Option<u8>,
    /// A bot for each seat, or one for all: random, policy, greedy, rollout:100, search:100; if left out, greedy if it plays the games in ten minutes, else policy, else random
    #[arg(long, value_delimiter = ',')]
    pub bots: Vec<String>,
    /// The first game's seed; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores if left out. The result does not depend on it
    #[arg(long, default_value_t = 0)]
    pub jobs: usize,
    /// Looks closely (lead, content, steps) at every Nth game, 0 for none; every game if left out, every twentieth when all bots are random
    #[arg(long, value_name = "N")]
    pub close: Option<u64>,
}

/// How a report is written on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Text,
    Md,
    Json,
}

/// How a report is given.
#[derive(Debug, Args)]
pub struct Reporting {
    /// One JSON object on standard output
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// How it is written on standard output: text, md (Markdown, to paste somewhere) or json
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// A page with pictures, in one file that opens offline
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Sim {
    #[command(flatten)]
    pub game: GameChoice,
    #[command(flatten)]
    pub runs: Runs,
    /// Moves the bots on by one seat from game to game
    #[arg(long)]
    pub rotate: bool,
    /// Plays game I of the run alone (from 0) and writes its transcript
    #[arg(long, value_name = "I")]
    pub only: Option<u64>,
    /// Where the games go, a row each: a file .parquet or .csv, or a folder for the run in parts; with --only, where the transcript goes (standard output if left out)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Goes on with the run whose games are in --out, or beside it if it was killed; a run that was never begun is begun
    #[arg(long, requires = "out", conflicts_with = "only")]
    pub resume: bool,
    /// Plays part I of N of the run (from 1); `report` joins the parts
    #[arg(long, value_name = "I/N", conflicts_with = "only")]
    pub shard: Option<String>,
    /// Plays a few games and says how long all would take, and how exactly they would tell
    #[arg(long, conflicts_with_all = ["only", "bare", "out"])]
    pub plan: bool,
    /// Draws on the page what each seat could expect along game I of the run (from 0), by a search from its own seat
    #[arg(long, value_name = "I")]
    pub chances: Option<u64>,
    /// Asks the game's invariants after every step
    #[arg(long)]
    pub verify: bool,
    /// Remembers nothing of a game but who won: how fast it is played without the lab
    #[arg(long, conflicts_with_all = ["only", "out", "resume", "shard", "close", "json", "report"])]
    pub bare: bool,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Debug, Args)]
pub struct Compare {
    #[command(flatten)]
    pub game: GameChoice,
    /// A pack that only one side has: one for the second side, or one for each
    #[arg(long = "pack", value_name = "DIR")]
    pub packs: Vec<PathBuf>,
    #[command(flatten)]
    pub runs: Runs,
    /// The size for which the number of games needed is told: of a share as it is, of anything else as a part of its mean
    #[arg(long, default_value_t = 0.02)]
    pub size: f64,
    /// Stops as soon as a difference of this size in --metric is settled either way; -n is then the most games played
    #[arg(long, value_name = "SIZE")]
    pub until: Option<f64>,
    /// Asks at each of these skills, from the weakest to the strongest: random,policy,greedy,search:200. Without a second side, compares them with the weakest
    #[arg(long, value_delimiter = ',', conflicts_with_all = ["until", "bots"])]
    pub skills: Vec<String>,
    /// What a card or an option is worth, or each of a kind: every game is played twice, and where a seat may first take it, it does so once and goes without the other time
    #[arg(long, value_name = "CARD", value_delimiter = ',', conflicts_with_all = ["until", "skills"])]
    pub take: Vec<String>,
    /// Plays game I of --take alone (from 0) and writes both ways as transcripts
    #[arg(long, value_name = "I", requires = "take")]
    pub only: Option<u64>,
    /// The folder for the transcripts of --only; this one if left out
    #[arg(long, value_name = "DIR", requires = "only")]
    pub out: Option<PathBuf>,
    /// Plays a few games and says what all of them could show, and how long they would take
    #[arg(long, conflicts_with_all = ["until", "only"])]
    pub plan: bool,
    /// The measure --until watches; one that is measured only if asked for, such as lost(units@combat_turn), is compared too
    #[arg(long, default_value = "first_wins")]
    pub metric: String,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Debug, Args)]
pub struct Sweep {
    #[command(flatten)]
    pub game: GameChoice,
    /// What is varied, and over what: prices.unit.resources=2..6:1; the declared range if left out
    #[arg(long = "param", value_name = "KEY[=LO..HI[:STEP]]", required = true)]
    pub parameters: Vec<String>,
    /// The measures shown; the most telling ones if left out
    #[arg(long = "metric", value_name = "NAME", value_delimiter = ',')]
    pub metrics: Vec<String>,
    #[command(flatten)]
    pub runs: Runs,
    /// Plays a few games and says how long all would take
    #[arg(long)]
    pub plan: bool,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Debug, Args)]
pub struct Tune {
    #[command(flatten)]
    pub game: GameChoice,
    /// What may be changed, and between what: prices.unit.resources=2..6; the declared range if left out
    #[arg(long = "param", value_name = "KEY[=LO..HI[:STEP]]", required = true)]
    pub parameters: Vec<String>,
    /// What is wanted: "seat_balance>=0.95, rounds in 8..12, unused(cards)=0"
    #[arg(long, value_name = "GOALS")]
    pub goal: String,
    #[command(flatten)]
    pub runs: Runs,
    /// Games for each setting that is tried
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Games for each of the best settings afterwards, on fresh seeds; as many as a quarter of the search if left out
    #[arg(long, value_name = "N")]
    pub check: Option<u64>,
    /// Writes the best settings as a variant
    #[arg(long, value_name = "FILE.toml")]
    pub out: Option<PathBuf>,
    /// Plays a few games and says how long the search would take
    #[arg(long)]
    pub plan: bool,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Debug, Args)]
pub struct Report {
    /// Results that `sim --out` wrote: one run, its parts, or a folder of them
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Debug, Args)]
pub struct Ladder {
    #[command(flatten)]
    pub game: GameChoice,
    /// From the weakest to the strongest; each plays the one before it
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "random,policy,greedy,search:100,search:1000"
    )]
    pub bots: Vec<String>,
    /// Games of each pair
    #[arg(short = 'n', long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// How many players; the fewest the game allows if left out. The stronger bot has half of the seats
    #[arg(long)]
    pub players: Option<u8>,
    /// The first seed; each is played from every seat
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores if left out. The result does not depend on it
    #[arg(long, default_value_t = 0)]
    pub jobs: usize,
    /// Plays a few games and says how long all would take
    #[arg(long)]
    pub plan: bool,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Debug, Args)]
pub struct Calibrate {
    #[command(flatten)]
    pub game: GameChoice,
    /// How many games
    #[arg(short = 'n', long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(10..))]
    pub games: u64,
    /// How many players; the fewest the game allows if left out
    #[arg(long)]
    pub players: Option<u8>,
    /// The bot that plays against itself
    #[arg(long, default_value = "greedy")]
    pub bot: String,
    /// The first game's seed; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores if left out. The result does not depend on it
    #[arg(long, default_value_t = 0)]
    pub jobs: usize,
    /// Fits the numbers of this table of the game, such as `opinion`, to who won, instead of the scale
    #[arg(long, value_name = "TABLE")]
    pub fit: Option<String>,
    /// Writes what was found where bots read it: the scale into the game's manifest, fitted numbers into its tables
    #[arg(long)]
    pub write: bool,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}
