//! A game ready to be played: its definition, its compiled rules, and the names both use.

use super::Table;
use super::lexicon::Lexicon;
use super::types::{self, slot};
use crate::content::definition::{Attribute, AttributeType, Definition, Named, Per};
use crate::limits::OPERATIONS_OF_A_DECISION;
use crate::model::board::{Board, Placement};
use crate::model::grid::Geometry;
use crate::model::layout::Layout;
use crate::model::set::SpaceSet;
use crate::model::value::handle;
use ludoteca_vm::{Fault, FaultKind, FnId, Program, Type};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Boards with some spaces left out that a game remembers.
const REMEMBERED_BOARDS: usize = 512;

/// Functions of the scripts that the kernel calls.
#[derive(Debug, Clone, Default)]
pub struct KernelCalls {
    pub setup: Option<FnId>,
    pub score: Option<FnId>,
    pub evaluate: Option<FnId>,
    /// Weights for the options of a prompt, for bots that do not look ahead.
    pub prefer: Option<FnId>,
    /// Puts right, on a table as a player may believe it to be, what a plain draw of hidden things makes absurd.
    pub imagine: Option<FnId>,
    /// What happens when a player leaves.
    pub left: Option<FnId>,
    /// What is still done when the game is over, whatever ended it.
    pub ended: Option<FnId>,
    /// Lays the table as a text says, in the notation the game's players know.
    pub read_position: Option<FnId>,
    /// One for each phase of the manifest.
    pub phases: Vec<FnId>,
    /// One for each metric.
    pub metrics: Vec<FnId>,
    /// For each kind: what says what is wrong with a card of it.
    pub checks: Vec<Option<FnId>>,
    /// Must answer `true` after every step.
    pub invariants: Vec<FnId>,
    /// For people: a note beside an option, and lines above a choice.
    pub note_option: Option<FnId>,
    pub table_view: Option<FnId>,
    /// Numbers that the rules compute and a drawn table shows.
    pub figures: Option<FnId>,
    pub table_view_for_prompt: Option<FnId>,
    /// Lines about the board, for who sees no drawn one.
    pub map_view: Option<FnId>,
    pub map_view_for_prompt: Option<FnId>,
}
/// An opinion of a game (`evaluate`, `prefer`, `imagine`) that broke where a bot asked for it.
#[derive(Debug, Clone)]
pub struct BrokenOpinion {
    pub function: String,
    pub fault: Fault,
}

/// A game ready to be played.
#[derive(Debug)]
pub struct Game {
    pub definition: Definition,
    /// Shared by games that differ in their numbers alone and are only looked at.
    pub program: Arc<Program<Table>>,
    pub lexicon: Lexicon,
    pub calls: KernelCalls,
    /// The board before any section is placed; the whole map if it is fixed.
    pub board: Arc<Board>,
    /// Steps, rays and lines, on a board that has them.
    pub geometry: Option<Geometry>,
    /// The space attribute `owner` if it holds players, which `owned(p)` asks for.
    pub owner: Option<usize>,
    /// The measure each declared zone is kept in the order of.
    pub zone_order: Vec<Option<usize>>,
    /// For each attribute of pieces: whether some zone is kept in its order.
    pub sorting: Vec<bool>,
    layouts: Vec<Arc<Layout>>,
    /// Boards with only some spaces, worked out once for all matches.
    boards: RwLock<HashMap<SpaceSet, Arc<Board>>>,
    /// Bots go on where an opinion breaks: so that its author hears of it, the first is kept.
    broken_opinion: OnceLock<BrokenOpinion>,
}
impl Game {
    /// Puts together what the scripts of a definition were compiled to.
    pub fn assemble(
        definition: Definition,
        program: Arc<Program<Table>>,
        lexicon: Lexicon,
        calls: KernelCalls,
    ) -> Arc<Game> {
        let board = definition
            .map
            .as_ref()
            .map_or_else(Board::default, |map| Board::new(map, &[]));
        let grid = definition.map.as_ref().and_then(|map| map.grid.as_ref());
        let geometry = grid.map(Geometry::new);
        let layouts: Vec<_> = (1..=definition.players.1.max(1))
            .map(|n| Arc::new(Layout::new(&definition, n as u32)))
            .collect();
        let owner =
            definition.attributes.space.iter().position(|a| {
                a.name == "owner" && a.ty == AttributeType::Player && a.per == Per::One
            });
        let measure = |named: &Named| lexicon.measures.iter().position(|m| m.name == named.name);
        let zone_order: Vec<Option<usize>> = definition
            .zones
            .iter()
            .map(|zone| zone.sorted.as_ref().and_then(measure))
            .collect();
        let by = |index: usize| {
            let sorts = |m: &Option<usize>| {
                m.is_some_and(|m| lexicon.measures[m].piece_attribute == Some(index))
            };
            zone_order.iter().any(sorts)
        };
        let sorting = (0..definition.attributes.piece.len()).map(by).collect();
        Arc::new(Game {
            definition,
            program,
            lexicon,
            calls,
            board: Arc::new(board),
            geometry,
            owner,
            zone_order,
            sorting,
            layouts,
            boards: RwLock::default(),
            broken_opinion: OnceLock::new(),
        })
    }

    /// An opinion of the game that broke in some match of it, if any did.
    pub fn broken_opinion(&self) -> Option<&BrokenOpinion> {
        self.broken_opinion.get()
    }

    pub(crate) fn note_broken_opinion(&self, function: FnId, fault: &Fault) {
        self.broken_opinion.get_or_init(|| BrokenOpinion {
            function: self.program.info(function).name.to_string(),
            fault: fault.clone(),
        });
    }

    /// The same of one that takes so long that a bot could not think to the end.
    pub(crate) fn note_costly_opinion(&self) {
        let calls = &self.calls;
        let Some(function) = calls.evaluate.or(calls.prefer).or(calls.imagine) else {
            return;
        };
        let message = format!(
            "it takes so long that a bot used up the {OPERATIONS_OF_A_DECISION} operations it has for a decision, and those of its lines; it answered with the best it had found"
        );
        self.note_broken_opinion(
            function,
            &Fault {
                kind: FaultKind::Budget,
                message,
                stack: Vec::new(),
            },
        );
    }

    /// The board with only these spaces on the table. Fixed maps remember it for later matches.
    pub fn board_with(&self, placements: &[Placement], kept: SpaceSet) -> Arc<Board> {
        let Some(map) = &self.definition.map else {
            return self.board.clone();
        };
        if map.assembled {
            return Arc::new(Board::with_kept(map, placements, Some(kept)));
        }
        let known = self
            .boards
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&kept)
            .cloned();
        known.unwrap_or_else(|| {
            let board = Arc::new(Board::with_kept(map, placements, Some(kept.clone())));
            let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
            // Rules choose among a few shapes; a script that does not must not fill the memory.
            if boards.len() < REMEMBERED_BOARDS {
                boards.insert(kept, board.clone());
            }
            board
        })
    }

    /// The slot of a declared attribute.
    pub fn slot(&self, kind: u8, index: usize) -> u16 {
        slot::of(
            attribute_class(&self.attributes(kind)[index]).0,
            index as u16,
        )
    }

    pub fn layout(&self, players: u8) -> Arc<Layout> {
        let at = (players.max(1) as usize).min(self.layouts.len()) - 1;
        self.layouts[at].clone()
    }

    pub fn attributes(&self, kind: u8) -> &[Attribute] {
        let attributes = &self.definition.attributes;
        match kind {
            handle::GAME => &attributes.game,
            handle::PLAYER => &attributes.player,
            handle::SPACE => &attributes.space,
            _ => &attributes.piece,
        }
    }

    pub fn attribute_name(&self, kind: u8, index: usize) -> &str {
        self.attributes(kind).get(index).map_or("?", |a| &a.name)
    }

    /// What a row of counters is kept by.
    pub fn row_per(&self, kind: u8, index: usize) -> &Per {
        let declared = self.attributes(kind).get(index);
        declared.map_or(&Per::One, |attribute| &attribute.per)
    }

    pub fn word_allowed(&self, kind: u8, index: usize, word: u32) -> bool {
        match self.attributes(kind).get(index).map(|a| &a.ty) {
            Some(AttributeType::Word(words)) => words.contains(&word),
            _ => false,
        }
    }
}

/// How an attribute is read, and the type scripts may rely on. What may be empty is not promised to be of its type: `()` is a value of
/// its own.
pub fn attribute_class(attribute: &Attribute) -> (u16, Type) {
    match &attribute.ty {
        AttributeType::Bool if attribute.per != Per::One => (slot::FLAGS, types::FLAGS),
        _ if attribute.per != Per::One => (slot::ROW, types::ROW),
        AttributeType::Int => (slot::INT, Type::Int),
        AttributeType::Bool => (slot::BOOL, Type::Bool),
        AttributeType::Player => (slot::PLAYER, Type::Any),
        AttributeType::Space => (slot::SPACE, Type::Any),
        AttributeType::Piece => (slot::PIECE, Type::Any),
        AttributeType::Card => (slot::CARD, Type::Any),
        AttributeType::Area => (slot::AREA, Type::Any),
        AttributeType::Word(_) => (slot::WORD, Type::Any),
    }
}
