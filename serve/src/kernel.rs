//! What this door uses of the kernel.

pub use ludoteca::{
    AnswerError, Bot, BrokenRule, Diagnostic, Driver, Event, Folder, Game, GameInfo, Heard, Label,
    Language, Library, Loaded, Match, NotTaken, PackSource, Selection, Session, Sitter, Source,
    Suite, Transcript, TranscriptError, bearable,
    definition::{Data, Definition, Text, Topic},
    examine,
    hint::{Hint, Judged, Opinion},
    keep,
    limits::{LARGEST_PAST, MOST_VISITED},
    load,
    pack::{Picture, Role, SCENARIOS, role},
    setting::{self, Datum, Node},
    transcript::Line,
    view::is_heard,
};
