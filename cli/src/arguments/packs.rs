//! What one types about packs.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum Pack {
    /// Checks a pack, shows what it brings and changes, asks, and installs it for you
    Add(Add),
    /// The packs that are installed
    List(ListPacks),
    /// Takes a pack away
    Remove {
        /// Its name
        name: String,
    },
    /// Looks in the index for newer versions
    Update(Update),
    /// What is known of a pack
    Info {
        /// The name of an installed pack, or one of the index
        name: String,
        #[command(flatten)]
        place: IndexPlace,
    },
    /// Makes one file of a pack's folder, the same bytes on every machine
    Build(Build),
    /// Signs a pack file with your key, which is made when it is first needed
    Sign {
        /// The pack file
        file: PathBuf,
    },
    /// Your key, and the keys of the packs you have
    Keys,
    /// Adds a pack to an index in a folder
    Publish {
        /// The folder of the index
        index: PathBuf,
        /// The pack file, or the folder of a pack; where you stand if left out
        pack: Option<PathBuf>,
    },
    /// Writes ludoteca.lock: the packs this folder plays with
    Lock,
}

#[derive(Debug, Args)]
pub struct Add {
    /// A pack file, a folder, an address, or a name in the index: NAME or NAME@REQUIREMENT
    pub what: String,
    #[command(flatten)]
    pub place: IndexPlace,
    /// Asks nothing: yes to everything but a changed key
    #[arg(long, short)]
    pub yes: bool,
    /// Installs it though it is signed by another key than before
    #[arg(long)]
    pub accept_key: bool,
}

#[derive(Debug, Args)]
pub struct Update {
    /// The pack; all if left out
    pub name: Option<String>,
    #[command(flatten)]
    pub place: IndexPlace,
    /// Asks nothing: yes to everything but a changed key
    #[arg(long, short)]
    pub yes: bool,
}

/// Where the index is.
#[derive(Debug, Args)]
pub struct IndexPlace {
    /// The index: a folder or an address
    #[arg(long, env = "LUDOTECA_INDEX")]
    pub index: Option<String>,
}

#[derive(Debug, Args)]
pub struct ListPacks {
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Build {
    /// The folder of the pack; where you stand if left out
    pub folder: Option<PathBuf>,
    /// The file to write; NAME-VERSION.ludo if left out
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Signs it with your key
    #[arg(long)]
    pub sign: bool,
}

#[derive(Debug, Subcommand)]
pub enum Index {
    /// Gives an index away to whoever asks; any other web server does as well
    Serve {
        /// The folder of the index
        folder: PathBuf,
        /// Where to listen
        #[arg(long, default_value = "127.0.0.1:8087")]
        at: String,
    },
}

#[derive(Debug, Args)]
pub struct Fix {
    /// The folder of a pack, or a file; where you stand if left out
    pub folder: Option<PathBuf>,
    /// Shows what would change, and changes nothing
    #[arg(long)]
    pub dry_run: bool,
}
