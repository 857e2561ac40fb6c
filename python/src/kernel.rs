//! All that this door uses of the kernel and the lab, in one place.

pub use ludoteca::bots::{self, Bot};
pub use ludoteca::content::definition::{Attribute, AttributeType, Per, Text};
pub use ludoteca::content::diagnostic::Diagnostic;
pub use ludoteca::content::library::{Library, Selection};
pub use ludoteca::content::pack::{BASE, PackSource};
pub use ludoteca::content::source::{Folder, Memory};
pub use ludoteca::keep;
pub use ludoteca::model::luck::Luck;
pub use ludoteca::model::streams::Stream;
pub use ludoteca::play::driver::Driver;
pub use ludoteca::play::encoding::{Encoding, NO_ROOM, Open, Question, description};
pub use ludoteca::play::heard;
pub use ludoteca::play::matches::{BrokenRule, Match, Status};
pub use ludoteca::play::offer::{Item, Offer};
pub use ludoteca::play::ranking::Place;
pub use ludoteca::play::say::{self, Language};
pub use ludoteca::play::scenario::Suite;
pub use ludoteca::play::session::{NotTaken, Session, Sitter, Stopped};
pub use ludoteca::play::transcript::{Transcript, TranscriptError};
pub use ludoteca::play::view;
pub use ludoteca::script::about::About;
pub use ludoteca::script::choice::{AnswerError, Wanted};
pub use ludoteca::script::event::{Event, Hearers};
pub use ludoteca::script::game::Game;
pub use ludoteca::script::load;
pub use ludoteca::script::table::Seat;
