//! The text at hand: which file it is, where the cursor is, and what is known of its game.

use crate::desk::{Desk, EditedFile, WorkedOut, game_of};
use crate::positions::{self, Ruler};
use lsp_types::{Location, Position, Range as Positions, Uri};
use ludoteca::{Place, mentions::Mention};
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

/// A file of the editor.
pub struct Page {
    pub sheet: EditedFile,
    pub text: Arc<str>,
    /// The path messages show.
    pub shown: String,
    /// What is known of its game; of what games share, that of a game that uses it, an open one first.
    pub known: Option<WorkedOut>,
    pub game: String,
    ruler: OnceCell<Ruler>,
}

impl Page {
    pub fn open(desk: &mut Desk, uri: &Uri) -> Option<Page> {
        let sheet = desk.sheet(uri)?;
        let text = desk.bearable_text(&sheet)?;
        let game = match game_of(&sheet.path) {
            Some(game) => game,
            None => {
                let importing = desk.library().importing(&sheet.path);
                let open = desk.open_games();
                let both = open.iter().find(|game| importing.contains(game));
                both.or(open.first())
                    .or(importing.first())
                    .cloned()
                    .unwrap_or_default()
            }
        };
        Some(Page {
            known: desk.known(&game),
            shown: desk.shown(&sheet),
            sheet,
            text,
            game,
            ruler: OnceCell::new(),
        })
    }

    pub fn is_script(&self) -> bool {
        self.sheet.path.ends_with(".rhai")
    }

    pub fn byte(&self, position: Position) -> usize {
        positions::byte(&self.text, position)
    }

    pub fn positions(&self, span: Range<usize>) -> Positions {
        let ruler = self.ruler.get_or_init(|| Ruler::new(&self.text));
        ruler.positions(&self.text, span)
    }

    /// All that may be meant at a byte, the shortest first, and of those the sure ones.
    pub fn mentions(&self, byte: usize) -> Vec<&Mention> {
        let Some(known) = &self.known else {
            return Vec::new();
        };
        let mut found = known.mentions.at(&self.shown, byte);
        let shortest = found.iter().map(|m| m.place.span.len()).min().unwrap_or(0);
        found.retain(|m| m.place.span.len() == shortest);
        found
    }

    /// What a file of cards says its cards are.
    pub fn kind(&self) -> String {
        let line = self
            .text
            .lines()
            .find_map(|line| line.trim().strip_prefix("kind"));
        let value = line.and_then(|line| line.trim_start().strip_prefix('='));
        value.map_or_else(String::new, |value| {
            value.trim().trim_matches(['"', '\'']).to_string()
        })
    }
}

/// A place of a file that lies on disk. What is built into the command has none.
pub fn location(desk: &Desk, place: &Place) -> Option<Location> {
    let uri = desk.uri_shown(&place.file.shown)?;
    let range = positions::positions(&place.file.text, place.span.clone());
    Some(Location { uri, range })
}
