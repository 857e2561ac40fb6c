//! All that this door uses of the kernel, the drawings and the lab, in one place.

pub use ludoteca::{
    AnswerError, AnsweredBy, Bot, BotError, BrokenRule, Diagnostic, Driver, Folder, Game, Language,
    Library, Luck, Match, NotTaken, NotUndone, Offer, PackSource, Rank, Selection, Session, Sitter,
    Status, Stopped, Stream, Transcript, TranscriptError, Wanted,
    encoding::{Encoding, NO_ROOM, NumberBlock, OpenActions, Question, description},
    keep, load, nearest,
    pack::BASE,
    random, view,
};
pub use ludoteca_draw::{Audience, Book, picture};
pub use ludoteca_lab::compare::{Comparison, Until, compare};
pub use ludoteca_lab::goal::{self, Goal};
pub use ludoteca_lab::measure::Measure;
pub use ludoteca_lab::names::listed;
pub use ludoteca_lab::parameter::Varied;
pub use ludoteca_lab::parts::{NotARun, Parts};
pub use ludoteca_lab::points::{Failed, Points};
pub use ludoteca_lab::record::{Header, Record};
pub use ludoteca_lab::report::{self, AskedSides as Sides, Pictures};
pub use ludoteca_lab::results::{Format, Results, ResultsError, ResultsReader};
pub use ludoteca_lab::runner::{Next, RunEnd};
pub use ludoteca_lab::search::{Found, SettingsSearch};
pub use ludoteca_lab::simulate::{self, BrokenGame, Guest, GuestLeft, Plan};
pub use ludoteca_lab::summary::Summary;
pub use ludoteca_lab::sweep::{self, SweepPoint};
pub use ludoteca_lab::told;
