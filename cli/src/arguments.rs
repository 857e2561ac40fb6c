//! What one types.

use clap::{Args, Parser, Subcommand};
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
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// The games and variants there are
    List(List),
    /// Validates content and says everything that is wrong
    Check(Check),
    /// Plays many games with bots and reports
    Sim(Sim),
    /// Runs scenarios
    Test(Test),
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
pub struct Sim {
    #[command(flatten)]
    pub game: GameChoice,
    /// How many games
    #[arg(short = 'n', long, default_value_t = 1000)]
    pub games: u64,
    /// How many players; the fewest the game allows if left out
    #[arg(long)]
    pub players: Option<u8>,
    /// A bot for each seat, or one for all: random, greedy
    #[arg(long, value_delimiter = ',', default_value = "random")]
    pub bots: Vec<String>,
    /// The first game's seed; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores if left out. The result does not depend on it
    #[arg(long, default_value_t = 0)]
    pub jobs: usize,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Test {
    /// A game, a scenario file or a folder; all scenarios below tests/scenarios if left out
    pub target: Option<String>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}
