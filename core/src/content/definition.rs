//! A game as it was read: declared, checked, immutable, shared by every match that is played with it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a person reads, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Text {
    pub es: String,
    pub en: String,
}

/// A language texts are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    Es,
    En,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::Es, Language::En];

    pub fn of(self, text: &Text) -> &str {
        match self {
            Language::Es => &text.es,
            Language::En => &text.en,
        }
    }
}

/// The articles a name takes in a sentence: `las` Filipinas, `the` Philippines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Article {
    pub es: Option<String>,
    pub en: Option<String>,
}

impl Article {
    pub fn of(&self, language: Language) -> Option<&str> {
        match language {
            Language::Es => self.es.as_deref(),
            Language::En => self.en.as_deref(),
        }
    }
}

/// One topic of the rulebook, its numbers filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Topic {
    pub id: String,
    pub title: Text,
    /// Markdown.
    pub text: Text,
}

/// Where a name was written, so that a later check can point at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Path inside its pack, as shown to the author.
    pub file: String,
    /// Bytes of the file.
    pub span: std::ops::Range<usize>,
}

/// A name with the place it was written at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub origin: Origin,
}

/// Plain data from a table or a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Data {
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Data>),
    Table(BTreeMap<String, Data>),
}

/// Index of a word (an interned name) in [`Definition::words`].
pub type Word = u32;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeType {
    Int,
    Bool,
    Player,
    Space,
    Piece,
    Card,
    Area,
    /// One of these words.
    Word(Vec<Word>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    All,
    Owner,
    /// The owner and everybody on the same side.
    Team,
    Nobody,
}

/// How many numbers an attribute keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Per {
    One,
    /// One for each player.
    Player,
    /// One for each of these words.
    Word(Vec<Word>),
    /// So many, counted from 0.
    Number(u32),
}

impl Per {
    /// How many numbers that are, with so many players.
    pub fn width(&self, players: u32) -> u32 {
        match self {
            Per::One => 1,
            Per::Player => players,
            Per::Word(words) => words.len() as u32,
            Per::Number(count) => *count,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    pub name: String,
    pub ty: AttributeType,
    /// The value at the start: a number, 0 or 1, a word; -1 for "none".
    pub start: i32,
    pub min: i32,
    pub max: i32,
    pub per: Per,
    pub visible: Visibility,
    /// Declared zones outside of which an attribute of a piece goes back to its start; everywhere if empty.
    pub kept_in: Vec<u16>,
    /// Its value at the end is where the next match of a campaign starts.
    pub campaign: bool,
    pub text: Option<Text>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes {
    pub game: Vec<Attribute>,
    pub player: Vec<Attribute>,
    pub space: Vec<Attribute>,
    pub piece: Vec<Attribute>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneOf {
    Game,
    Player,
    Space,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    pub name: String,
    pub of: ZoneOf,
    pub visible: Visibility,
    /// The field or attribute its pieces are kept in the order of, the lowest on top.
    pub sorted: Option<Named>,
    pub text: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldType {
    Int,
    Bool,
    String,
    Text,
    /// One of these words; any word if empty.
    Word(Vec<Word>),
    Words(Vec<Word>),
    Ints,
    Card,
    Cards,
    Space,
    Area,
    Function,
    /// What happens, in words of the manifest; a function of the scripts is made of it.
    Effect,
    /// What must be so, likewise.
    Condition,
    Table,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub ty: FieldType,
}

/// The value of a field, with names already turned into numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    None,
    Int(i64),
    Bool(bool),
    String(String),
    Text(Text),
    Word(Word),
    Words(Vec<Word>),
    Ints(Vec<i64>),
    Card(u32),
    Cards(Vec<u32>),
    Space(u32),
    Area(u32),
    Function(Named),
    Table(Data),
}

/// A kind of card or piece and the fields its cards carry, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    pub name: String,
    pub text: Option<Text>,
    pub fields: Vec<Field>,
    /// The kind whose back its pieces show to those who do not see them; nothing if their backs tell nothing.
    pub back: Option<u32>,
    /// The script function that says what is wrong with a card of this kind.
    pub check: Option<Named>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub id: String,
    pub kind: u32,
    pub copies: u32,
    pub name: Text,
    pub text: Option<Text>,
    /// One value for each field of the kind.
    pub fields: Vec<FieldValue>,
    pub origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    pub id: String,
    pub name: Text,
    pub area: Option<u32>,
    /// Column and line where it is drawn.
    pub at: Option<(i32, i32)>,
    /// The section and the column and row in it, on a board made of sections.
    pub square: Option<(u32, u8, u8)>,
    pub fields: Vec<FieldValue>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub a: u32,
    pub b: u32,
    pub fields: Vec<FieldValue>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    pub id: String,
    pub name: Text,
    pub fields: Vec<FieldValue>,
}

/// A rectangle of squares that setup places on the table, turned as it likes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub id: String,
    pub name: Text,
    pub columns: u8,
    pub rows: u8,
    /// The space on each square, row by row; a blank in the drawing is no space.
    pub squares: Vec<Option<u32>>,
}

/// What a grid is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cells {
    #[default]
    Square,
    Hex,
}

/// One of eight directions, clockwise from north. Hexes have neither north nor south.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction(pub u8);

impl Direction {
    /// Their names, by number.
    pub const NAMES: [&str; 8] = [
        "north",
        "northeast",
        "east",
        "southeast",
        "south",
        "southwest",
        "west",
        "northwest",
    ];
    /// Several directions as bits.
    pub const ORTHOGONAL: u8 = 0b0101_0101;
    pub const DIAGONAL: u8 = 0b1010_1010;
    pub const ALL: u8 = 0xff;
    /// Names for several at once, on squares.
    pub const GROUPS: [(&str, u8); 8] = [
        ("orthogonal", Self::ORTHOGONAL),
        ("diagonal", Self::DIAGONAL),
        ("all", Self::ALL),
        ("sideways", 0b0100_0100),
        ("north_diagonals", 0b1000_0010),
        ("east_diagonals", 0b0000_1010),
        ("south_diagonals", 0b0010_1000),
        ("west_diagonals", 0b1010_0000),
    ];
}

/// How the spaces of a map lie in rows and columns; they are its first ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grid {
    pub cells: Cells,
    pub columns: i32,
    pub rows: i32,
    /// Rows of hexes that lean, each half a space further to the right; otherwise every other row does.
    pub leaning: bool,
    /// Whether columns, and rows, go on at the other side.
    pub wraps: (bool, bool),
    /// The directions that make spaces neighbours, as bits.
    pub neighbors: u8,
    /// Where forward is, by seat.
    pub forward: Vec<Direction>,
    /// Column and row of each space, the lowest row 0.
    pub places: Vec<(i32, i32)>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Map {
    pub id: String,
    pub title: Text,
    pub space_fields: Vec<Field>,
    pub edge_fields: Vec<Field>,
    pub area_fields: Vec<Field>,
    pub spaces: Vec<Space>,
    /// Edges written in the file. A fixed board of one section has its squares' edges here too.
    pub edges: Vec<Edge>,
    pub areas: Vec<Area>,
    pub sections: Vec<Section>,
    pub grid: Option<Grid>,
    /// More than one section: the board is assembled during setup.
    pub assembled: bool,
}

/// A word of effects or conditions: a script function of the same name does it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhraseWord {
    pub function: Named,
    /// It says whether something is so; else it makes something happen.
    pub is_condition: bool,
    /// Its own parameters, each with whether it may be left out.
    pub takes: Vec<(Field, bool)>,
}

impl Definition {
    /// Whether something on the table is for some eyes only.
    pub fn has_secrets(&self) -> bool {
        let some = |visible: &Visibility| matches!(visible, Visibility::Owner | Visibility::Team);
        let zones = self.zones.iter().map(|zone| &zone.visible);
        let attributes = self.attributes.player.iter().map(|held| &held.visible);
        zones.chain(attributes).any(some)
    }

    /// The attribute of players that holds their side, in a game that has sides. It is the last one.
    pub fn side_attribute(&self) -> Option<usize> {
        (!self.sides.is_empty()).then(|| self.attributes.player.len() - 1)
    }

    /// The side each seat is on from the start, by its number.
    pub fn first_sides(&self, players: u8) -> Vec<Option<usize>> {
        let named = |seat: u8| {
            self.sides.iter().position(|side| match &side.seats {
                Some(Seats::Listed(seats)) => seats.contains(&seat),
                Some(Seats::All) => true,
                Some(Seats::Even) => seat.is_multiple_of(2),
                Some(Seats::Odd) => seat % 2 == 1,
                Some(Seats::Rest) | None => false,
            })
        };
        let rest = self
            .sides
            .iter()
            .position(|side| side.seats == Some(Seats::Rest));
        (0..players).map(|seat| named(seat).or(rest)).collect()
    }

    /// Everybody is on one side from the start: they win or lose together.
    pub fn is_cooperative(&self) -> bool {
        matches!(&self.sides[..], [only] if only.seats.is_some())
    }
}

impl PhraseWord {
    /// Whose ability it is, for whom it works and what it is about, then its own.
    pub fn parameters(&self) -> usize {
        3 + self.takes.len()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Die {
    pub name: String,
    pub text: Option<Text>,
    /// The game's own log lines say what it shows.
    pub told: bool,
    /// Every face fits into a byte: a few of them are thrown without memory of their own.
    pub small: bool,
    pub faces: Vec<i32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    pub step: Named,
    pub each_player: bool,
    pub reverse: bool,
    pub text: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// 0 or 1 for one that is true or false.
    pub value: i64,
    /// Whether scripts see it as true or false.
    pub is_flag: bool,
    pub min: i64,
    pub max: i64,
    pub text: Option<Text>,
}

/// A value inside the tables that may be tuned, and between what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRange {
    pub key: String,
    pub min: i64,
    pub max: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    pub name: String,
    pub text: Text,
    pub of_player: bool,
    pub function: Named,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptFile {
    pub path: String,
    pub text: String,
    /// The pack's place in the order of loading: a later layer replaces functions of an earlier one.
    pub layer: u32,
}

/// What a prompt says besides its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manner {
    /// What is chosen is told to nobody else, nor that it was asked.
    pub secret: bool,
    /// What is taken is given up, not played.
    pub discards: bool,
    /// What may be done there, in the order it is offered in.
    pub actions: Vec<String>,
}

/// Keyed texts by section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    pub prompt: BTreeMap<String, Text>,
    /// Of the prompts that say more than their text.
    pub manners: BTreeMap<String, Manner>,
    pub option: BTreeMap<String, Text>,
    pub log: BTreeMap<String, Text>,
    pub step: BTreeMap<String, Text>,
    pub reason: BTreeMap<String, Text>,
    pub field: BTreeMap<String, Text>,
    /// What there is to know of a prompt, a space, a word ..: `prompt.attack`, `space.market`. Its numbers are filled in.
    pub help: BTreeMap<String, Text>,
    /// Articles of spaces, areas, cards and words, by id.
    pub article: BTreeMap<String, Article>,
}

/// A pack that a game is made of: a match remembers which.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackUsed {
    pub name: String,
    pub version: String,
    /// Of all its files; the same on every machine.
    pub hash: u64,
}

/// How the game is drawn: no rule, and no part of the hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// `look.toml`, its overlays merged.
    pub said: Data,
    /// Where the things of its map are.
    pub positions: Option<Data>,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            said: Data::Table(BTreeMap::new()),
            positions: None,
        }
    }
}

/// Where a line of thought may be judged: at moments that can be compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum JudgeAt {
    /// Whenever a move is over: somebody else is asked, or the same is asked again.
    #[default]
    Move,
    /// When a step of the agenda is over.
    Turn,
    /// When a round is over.
    Round,
}

/// What the manifest tells bots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotsHints {
    pub judge_at: JudgeAt,
    /// How many such moments ahead bots look.
    pub ahead: u32,
    /// How much of `evaluate` makes a win 2.7 times as likely, if it was fitted.
    pub scale: Option<u32>,
    /// By how many points of a hundred chances worked out with it are off, at most.
    pub off_by: Option<u32>,
    /// How many played when this was measured.
    pub measured_with: Option<u32>,
}

/// The most by which chances may be off that people are shown as such, in points of a hundred.
const TRUSTED: u32 = 5;

impl Definition {
    /// Whether people may be shown chances of winning as such: they were measured to be right, of the game as it is and with so many players.
    pub fn is_calibrated(&self, players: u8) -> bool {
        let (hints, (fewest, most)) = (&self.bots, self.players);
        let only = (fewest == most).then(|| u32::from(most));
        let measured_with = hints.measured_with.or(only);
        self.selection.is_empty()
            && hints.scale.is_some()
            && hints.off_by.is_some_and(|off| off <= TRUSTED)
            && measured_with == Some(u32::from(players))
    }
}

impl Default for BotsHints {
    fn default() -> BotsHints {
        BotsHints {
            judge_at: JudgeAt::Move,
            ahead: 4,
            scale: None,
            off_by: None,
            measured_with: None,
        }
    }
}

/// Who is on a side from the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seats {
    Listed(Vec<u8>),
    All,
    Even,
    Odd,
    /// Whoever no other side names.
    Rest,
}

/// Players who win and lose together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    pub name: String,
    pub word: Word,
    pub text: Text,
    /// `None` if `setup` deals it.
    pub seats: Option<Seats>,
}

/// A whole game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Definition {
    pub id: String,
    pub version: String,
    pub title: Text,
    pub summary: Text,
    /// Fewest and most players.
    pub players: (u8, u8),
    /// The turn goes to the right instead of the left.
    pub to_the_right: bool,
    pub round_limit: u32,
    pub sides: Vec<Side>,
    /// A player may leave a match that is under way.
    pub may_leave: bool,
    /// What the numbers of the score are called, in their order.
    pub score: Vec<Text>,
    /// Of the merged data and the effective scripts; the same on every machine.
    pub hash: u64,
    pub words: Vec<String>,
    pub attributes: Attributes,
    pub zones: Vec<Zone>,
    pub kinds: Vec<Kind>,
    pub cards: Vec<Card>,
    pub map: Option<Map>,
    pub dice: Vec<Die>,
    pub phases: Vec<Phase>,
    pub parameters: Vec<Parameter>,
    pub ranges: Vec<TableRange>,
    pub tables: BTreeMap<String, Data>,
    pub metrics: Vec<Metric>,
    /// What effects and conditions of cards may say.
    pub phrase_words: Vec<PhraseWord>,
    /// Script functions without parameters that must answer `true` after every step.
    pub invariants: Vec<Named>,
    pub bots: BotsHints,
    pub texts: Texts,
    pub look: Look,
    /// What a newcomer reads, in its order.
    pub rulebook: Vec<Topic>,
    pub scripts: Vec<ScriptFile>,
    /// Shared script libraries by name (`lib/deals`).
    pub libraries: BTreeMap<String, Vec<ScriptFile>>,
    /// Names of the variants and settings this definition was made with.
    pub selection: Vec<String>,
    /// The packs beside the base that bring something to this game.
    pub packs: Vec<PackUsed>,
}
