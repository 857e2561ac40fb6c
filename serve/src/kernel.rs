//! What this door uses of the kernel.

pub use ludoteca::bots::Bot;
pub use ludoteca::bots::hint::{Hint, Judged};
pub use ludoteca::content::definition::{
    Attribute, AttributeType, Cells, Data, Definition, Field, FieldType, FieldValue, Map, Per,
    Text, Visibility, Zone, ZoneOf,
};
pub use ludoteca::content::diagnostic::Diagnostic;
pub use ludoteca::content::library::{GameInfo, Library, Selection};
pub use ludoteca::content::pack::{PackSource, Picture};
pub use ludoteca::play::driver::Driver;
pub use ludoteca::play::matches::{BrokenRule, Match};
pub use ludoteca::play::say::{self, Language};
pub use ludoteca::play::session::{NotTaken, Session, Sitter};
pub use ludoteca::play::transcript::{Line, Transcript, TranscriptError};
pub use ludoteca::play::view::{Heard, is_heard};
pub use ludoteca::script::load;
pub use ludoteca::table::choice::AnswerError;
pub use ludoteca::table::event::Event;
pub use ludoteca::table::game::Game;
