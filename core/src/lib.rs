//! The kernel of Ludoteca: games as text files, checked and played. It knows no game by name.
//!
//! This page is the façade: plain data in and out, for whoever opens a door to the games, be it a command, a server, an editor or a
//! program. The rooms behind it are the kernel's own business (`ARCHITECTURE.md`).
//!
//! | you want to | begin with |
//! |---|---|
//! | open packs, see what is wrong with them, read values | [`Library`], [`Diagnostic`] |
//! | let people, programs and bots play one match | [`Session`], [`Offer`], [`View`], [`Heard`] |
//! | play many matches fast | [`Arena`] |
//! | choose for a seat | [`Chooser`], and the [`Bot`]s there are |
//! | say what things are and what rules may use | [`help`], [`reference`] |
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

pub mod bots;
pub mod content;
pub mod keep;
pub mod limits;
pub mod model;
pub mod play;
pub mod script;
pub mod table;

pub use bots::{Bot, BotError, no_clock};
pub use content::definition;
pub use content::definition::{Definition, Language, Text};
pub use content::diagnostic::{Code, Diagnostic, Edit, Fix, Label, Severity};
pub use content::diff::diff;
pub use content::explain::{Story, explain};
pub use content::file::{File, Place};
pub use content::library::{GameInfo, Library, Loaded, Selection, VariantInfo};
pub use content::pack::{Pack, PackSource};
pub use content::source::{Edited, Embedded, Folder, Memory, ReadError, Source};
pub use play::arena::{Arena, Finished};
pub use play::close_look::Close;
pub use play::driver::{Chooser, Door};
pub use play::help;
pub use play::imagination::Imagined;
pub use play::journal::{self, JournalError, NotKept};
pub use play::matches::{BrokenRule, Status};
pub use play::offer::{Offer, Offered};
pub use play::scenario::Suite;
pub use play::session::{Followed, NotTaken, NotUndone, Session, Sitter, Step, Stopped};
pub use play::transcript::{Transcript, TranscriptError};
pub use play::view::{Heard, LinePart, Shown, View};
pub use script::load::load;
pub use script::reference::reference;
pub use table::about::About;
pub use table::choice::AnswerError;
pub use table::game::Game;
