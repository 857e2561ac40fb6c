//! The kernel of Ludoteca: games as text files, checked and played. It knows no game by name.
//!
//! This page is the façade: plain data in and out, for whoever opens a door to the games, be it a command, a server, an editor or a
//! program. The rooms behind it are the kernel's own business (`ARCHITECTURE.md`).
//!
//! | you want to | begin with |
//! |---|---|
//! | open packs, see what is wrong with them, read values | [`Library`], [`Diagnostic`] |
//! | let people, programs and bots play one match | [`Session`], [`Offer`], [`View`], [`Heard`], [`Ending`] |
//! | play many matches fast | [`Arena`] |
//! | choose for a seat | [`Chooser`], what it may look at ([`Imagined`]), and the [`Bot`]s there are |
//! | say what things are and what rules may use | [`help`], [`reference`] |
//! | find names, complete and rename them, put files in order | [`mentions`], [`format`] |
//! | know what a game declares | [`definition`], [`schema`], [`setting`] |
//! | try scenarios, read matches on disk | [`scenario`], [`transcript`], [`journal`] |
//! | learn from matches | [`encoding`], [`close_look`] |
//!
//! ```
//! use ludoteca::{Bot, Language, Library, PackSource, Selection, Session, Sitter, Status, load, no_clock};
//!
//! // A pack in memory; folders, archives and unsaved texts are opened the same way.
//! let pack = PackSource::memory("example", [
//!     ("scripts/race/game.toml", r#"
//!         title = { es = "Carrera", en = "Race" }
//!         version = "1.0.0"
//!         summary = { es = "A cinco pasos.", en = "To five steps." }
//!         players = [2, 2]
//!         [attributes.player]
//!         steps = { type = "int", min = 0 }
//!         [[phases]]
//!         step = "turn"
//!         each = "player"
//!     "#),
//!     ("scripts/race/rules.rhai", r#"
//!         fn turn(p) {
//!             p.steps += choose_amount(p, "run", 1, 3);
//!             if p.steps >= 5 { end_game(); }
//!         }
//!         fn score(p) { p.steps }
//!     "#),
//!     ("cards/race/text.toml", r#"
//!         [prompt]
//!         run = { es = "¿Cuánto corres?", en = "How far do you run?" }
//!     "#),
//! ]);
//! let (library, _) = Library::open(&[pack]);
//! assert_eq!(library.check(None), []);
//!
//! // A person against a bot.
//! let game = load(&library, "race", &Selection::default()).expect("it was checked");
//! let person = Sitter { name: "Ana".into(), chooser: None };
//! let bot = Sitter { name: "random".into(), chooser: Some(Bot::Random.chooser(no_clock)) };
//! let mut session = Session::new(game, vec![person, bot], 7, &Selection::default());
//! while session.go_on().expect("the rules hold") == Status::Asking {
//!     let offer = session.offer(0, Language::En).expect("the person is asked");
//!     assert_eq!(offer.text, "How far do you run?");
//!     session.answer_keys(0, &["3".into()]).expect("3 is offered");
//! }
//! assert_eq!(session.ranking().expect("scores are numbers").len(), 2);
//!
//! // What was heard, by whom it may be heard; and the whole match as a text that can be played again.
//! assert!(session.events(0, None, Language::En).count() > 0);
//! assert!(session.transcript.to_string().starts_with("ludoteca transcript"));
//! ```

mod bots;
mod content;
pub mod keep;
pub mod limits;
mod model;
mod play;
mod script;
mod table;

// Packs, and what is wrong with them.
pub use content::definition::{Definition, Language, Text};
pub use content::diagnostic::{
    Code, Diagnostic, Edit, Fix, Label, Severity, bearable, grouped, guessing, nearest, render_all,
};
pub use content::diff::{Change, What, diff};
pub use content::explain::{Story, Told, explain};
pub use content::explained;
pub use content::file::{File, Place};
pub use content::format::{NotFormatted, format};
pub use content::legible::{illegible, illegible_in_a_line, legible, legible_line, shortened};
pub use content::lexis as data_lexis;
pub use content::library::{GameInfo, Library, Loaded, LoadedSoFar, Selection, VariantInfo};
pub use content::pack::{Pack, PackSource, no_pack};
pub use content::read::look::ICONS;
pub use content::source::{Edited, Embedded, Folder, Memory, ReadError, Source};
pub use content::touched::{Touched, touched};
pub use content::{definition, schema};
/// Scripts cut into their smallest parts.
pub use ludoteca_vm::lexis as script_lexis;
pub use play::kinds::{file_kinds, kind_of};
pub use script::load::{examine, load, load_covered};
pub use script::mentions;
pub use script::reference;
pub use script::reference::reference;
pub use script::sound::too_large;

/// What a pack is made of: which files, at which paths, for which kernel.
pub mod pack {
    pub use crate::content::pack::{BASE, KERNEL, LayerFile, Picture, read_scenarios, renamed};
    pub use crate::content::path::{Part, Role, SCENARIOS, role};
}

/// The data of a loaded game as a tree, each value with its place.
pub mod tree {
    pub use crate::content::tree::{Branch, Datum, Entry, Node};
}

/// Values of a loaded game by their keys.
pub mod setting {
    pub use crate::content::setting::{follow, known_keys, locate};
    pub use crate::content::tree::{Datum, Node};
}

// One match with everybody at its table.
pub use play::ending::Ending;
pub use play::journal::{self, JournalError, NotKept};
pub use play::offer::{Offer, Offered};
pub use play::ranking::Rank;
pub use play::session::{Followed, NotTaken, NotUndone, Session, Sitter, Stopped, Went};
pub use play::transcript::{self, Transcript, TranscriptError};
pub use play::view::{self, Heard, LinePart, Shown, View};
pub use play::{help, say};
pub use table::about::About;
pub use table::choice::{AnswerError, Wanted};
pub use table::event::{Detail, Event};
pub use table::game::{BrokenOpinion, Game};

// Matches by themselves, and many of them.
pub use model::luck::Luck;
pub use model::state::Tally;
pub use model::streams::Stream;
pub use play::arena::{Arena, Finished};
pub use play::close_look::{Close, SpaceUse, Turnover};
pub use play::matches::{BrokenRule, Match, Position, Status};
pub use play::scenario::{self, Suite};
pub use play::{encoding, perft};
pub use table::witness::Wait;
pub use table::{AnsweredBy, Table};

/// What is seen of a match that is looked at closely: who led, what was used, which steps left nothing to decide.
pub mod close_look {
    pub use crate::play::close_look::{Close, EIGHTHS, StepUse, Use, leader};
    pub use crate::table::witness::Count;
}

// Whoever chooses for a seat.

pub use bots::{Bot, BotError, Moments, hint, no_clock, seat_bots};
pub use play::driver::{Chooser, Door, Driver};
pub use play::imagination::Imagined;

/// Answers by luck alone.
pub mod random {
    pub use crate::bots::random::{pick, pick_into};
}

/// For the tests of the house alone, which look behind the façade: no door may name it (a test looks), and nothing in it is promised.
#[doc(hidden)]
pub mod inside {
    pub use crate::content::diagnostic::sort;
    pub use crate::content::{merge, tree};
    pub use crate::model::state::IN_THE_BOX;
    pub use crate::model::value;
    pub use crate::play::offer::table_view;
    pub use crate::table::types::slot;
}
