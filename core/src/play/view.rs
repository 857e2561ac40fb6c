//! What a seat sees of the table and hears of what happens, as plain data: people and programs get this and nothing else.
//! Who may know what is decided in `table/sight.rs`; what is not for these eyes and ears is left out here.

use super::say::{self, Language};
use crate::content::definition::{Attribute, AttributeType, Per, ZoneOf};
use crate::model::value::handle;
use crate::table::Table;
use crate::table::about::About;
use crate::table::event::{Detail, Event, Hearers};
use crate::table::label::{self, TextPart};
use crate::table::types::slot;
use serde::Serialize;
use std::collections::BTreeMap;

/// Attributes by their names, zones by theirs.
pub type ShownAttributes = BTreeMap<String, Shown>;
pub type Zones = BTreeMap<String, ZoneView>;

/// Everything a seat sees. `you` is missing for somebody who only watches.
///
/// ```
/// use ludoteca::{Language, Selection, Session, Shown, Sitter};
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let person = |name: &str| Sitter { name: name.into(), chooser: None };
/// let mut session = Session::new(game, vec![person("Ana"), person("Eva")], 7, &Selection::default());
/// session.go_on()?;
/// session.answer_keys(0, &["3".into()])?;
/// session.go_on()?;
/// let seen = session.view(Some(1), Language::En);
/// assert_eq!(seen.players[0].attributes["steps"], Shown::Number(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct View {
    pub you: Option<u8>,
    /// The seats still in, in turn order.
    pub order: Vec<u8>,
    pub game: GameView,
    pub players: Vec<PlayerView>,
    pub spaces: BTreeMap<String, SpaceView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameView {
    #[serde(flatten)]
    pub attributes: ShownAttributes,
    pub round: u32,
    pub zones: Zones,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerView {
    #[serde(flatten)]
    pub attributes: ShownAttributes,
    pub seat: u8,
    /// Plays no more.
    pub out: bool,
    pub zones: Zones,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpaceView {
    #[serde(flatten)]
    pub attributes: ShownAttributes,
    /// Column and row, on a board put together during the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<(i32, i32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zones: Option<Zones>,
}

/// A zone: its height, and what lies there from the top if the seat sees any of it; `None` for what it does not see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ZoneView {
    pub count: usize,
    /// The kind whose back the uppermost piece shows, if the seat does not see its front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Vec<Option<PieceView>>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// A number that stays the same; options and events use it too.
    pub key: u32,
    pub card: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<u8>,
    /// Those that differ from their start.
    #[serde(flatten)]
    pub attributes: ShownAttributes,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Shown {
    Nothing,
    Flag(bool),
    /// A number, or a seat's.
    Number(i64),
    /// The id of a space, a card, an area; a word.
    Name(String),
    /// One for each player, or so many.
    List(Vec<Shown>),
    PerWord(BTreeMap<String, Shown>),
}

impl Shown {
    pub fn number(&self) -> Option<i64> {
        match self {
            Shown::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The number of a seat.
    pub fn seat(&self) -> Option<u8> {
        self.number().and_then(|seat| u8::try_from(seat).ok())
    }

    pub fn name(&self) -> Option<&str> {
        match self {
            Shown::Name(name) => Some(name),
            _ => None,
        }
    }

    /// A flag that is raised, a number that is not 0.
    pub fn is_set(&self) -> bool {
        matches!(self, Shown::Flag(true)) || self.number().is_some_and(|number| number != 0)
    }
}

/// What a seat sees now.
pub fn view(table: &Table, viewer: Option<u8>, language: Language) -> View {
    let eyes = Eyes {
        table,
        viewer,
        language,
    };
    let declared = &table.game.definition.attributes;
    let players = (0..table.players()).map(|seat| PlayerView {
        attributes: eyes.attributes(&declared.player, handle::PLAYER, seat as u32),
        seat,
        out: table.state.is_out(seat),
        zones: eyes.zones(ZoneOf::Player, seat as u32),
    });
    let spaces = table.state.board.in_play();
    let spaces = spaces.iter().map(|space| {
        let id = table.space_id(space).to_string();
        (id, eyes.space(space))
    });
    View {
        you: viewer,
        order: table.state.seats_from(table.state.start).collect(),
        game: GameView {
            attributes: eyes.attributes(&declared.game, handle::GAME, 0),
            round: table.state.round,
            zones: eyes.zones(ZoneOf::Game, 0),
        },
        players: players.collect(),
        spaces: spaces.collect(),
    }
}

/// Somebody who looks at a table.
struct Eyes<'a> {
    table: &'a Table,
    viewer: Option<u8>,
    language: Language,
}

impl Eyes<'_> {
    fn attributes(&self, declared: &[Attribute], kind: u8, id: u32) -> ShownAttributes {
        let owner = self.table.attribute_owner(kind, id);
        let seen = declared.iter().enumerate();
        seen.filter(|(_, attribute)| self.table.sees_attribute(attribute, self.viewer, owner))
            .map(|(index, attribute)| {
                let shown = self.attribute(attribute, kind, index, id);
                (attribute.name.clone(), shown)
            })
            .collect()
    }

    fn attribute(&self, attribute: &Attribute, kind: u8, index: usize, id: u32) -> Shown {
        let number = |column: usize| self.table.number(kind, index, id, column as u32);
        let shown = |column: usize| self.number(attribute, number(column));
        match &attribute.per {
            Per::One => shown(0),
            Per::Player | Per::Number(_) => {
                let count = attribute.per.width(self.table.players() as u32) as usize;
                Shown::List((0..count).map(shown).collect())
            }
            Per::Word(words) => {
                let words = words.iter().enumerate();
                Shown::PerWord(words.map(|(n, &w)| (self.word(w), shown(n))).collect())
            }
        }
    }

    /// A stored number as what it stands for; of a piece only its card is shown, to those who see it.
    fn number(&self, attribute: &Attribute, number: i32) -> Shown {
        let seen = || self.table.sees_piece(self.viewer, number as u32);
        shown(self.table, attribute, number, seen)
    }

    fn word(&self, word: u32) -> String {
        self.table.game.lexicon.words[word as usize].to_string()
    }

    fn space(&self, space: u32) -> SpaceView {
        let definition = &self.table.game.definition;
        let zones = definition.zones.iter().any(|zone| zone.of == ZoneOf::Space);
        let assembled = definition.map.as_ref().is_some_and(|map| map.assembled);
        SpaceView {
            attributes: self.attributes(&definition.attributes.space, handle::SPACE, space),
            at: assembled
                .then(|| self.table.state.board.square(space))
                .flatten(),
            zones: zones.then(|| self.zones(ZoneOf::Space, space)),
        }
    }

    fn zones(&self, of: ZoneOf, owner: u32) -> Zones {
        let mut shown = Zones::new();
        for (declared, zone) in self.table.game.definition.zones.iter().enumerate() {
            if zone.of == of {
                let instance = self.table.layout.zone(declared, owner);
                shown.insert(zone.name.clone(), self.zone(instance));
            }
        }
        shown
    }

    fn zone(&self, instance: u32) -> ZoneView {
        let pieces = self.table.state.zones[instance as usize].iter().rev();
        let listed: Vec<_> = pieces.map(|&piece| self.piece(piece)).collect();
        let hidden = listed.first().is_some_and(Option::is_none);
        ZoneView {
            count: listed.len(),
            back: self.back(instance).filter(|_| hidden),
            // A stack nobody looks into is its height.
            pieces: listed.iter().any(Option::is_some).then_some(listed),
        }
    }

    /// The back of what lies on top.
    fn back(&self, instance: u32) -> Option<String> {
        let top = *self.table.state.zones[instance as usize].last()?;
        let back = self.table.back(top)?;
        let kind = &self.table.game.definition.kinds[back as usize];
        Some(kind.name.clone())
    }

    fn piece(&self, piece: u32) -> Option<PieceView> {
        let table = self.table;
        if !table.sees_piece(self.viewer, piece) {
            return None;
        }
        let found = &table.state.pieces[piece as usize];
        let card = &table.game.definition.cards[found.card as usize];
        let owner = table.attribute_owner(handle::PIECE, piece);
        let mut attributes = ShownAttributes::new();
        for (index, attribute) in table.game.definition.attributes.piece.iter().enumerate() {
            let number = table.number(handle::PIECE, index, piece, 0);
            if self.table.sees_attribute(attribute, self.viewer, owner)
                && (attribute.per != Per::One || number != attribute.start)
            {
                let shown = self.attribute(attribute, handle::PIECE, index, piece);
                attributes.insert(attribute.name.clone(), shown);
            }
        }
        Some(PieceView {
            key: found.key,
            card: card.id.clone(),
            name: self.language.of(&card.name).to_string(),
            owner: u8::try_from(found.owner).ok(),
            attributes,
        })
    }
}

fn shown(
    table: &Table,
    attribute: &Attribute,
    number: i32,
    sees_piece: impl Fn() -> bool,
) -> Shown {
    let lexicon = &table.game.lexicon;
    let name = |words: &[u32]| {
        let word = words[number as usize];
        Shown::Name(lexicon.words[word as usize].to_string())
    };
    match &attribute.ty {
        AttributeType::Int => Shown::Number(number as i64),
        AttributeType::Bool => Shown::Flag(number != 0),
        _ if number < 0 => Shown::Nothing,
        AttributeType::Player => Shown::Number(number as i64),
        AttributeType::Space => name(&lexicon.space_words),
        AttributeType::Area => name(&lexicon.area_words),
        AttributeType::Card => name(&lexicon.card_words),
        AttributeType::Piece if !sees_piece() => Shown::Nothing,
        AttributeType::Piece => {
            let card = table.state.pieces[number as usize].card;
            let word = lexicon.card_words[card as usize];
            Shown::Name(lexicon.words[word as usize].to_string())
        }
        AttributeType::Word(_) => Shown::Name(lexicon.words[number as usize].to_string()),
    }
}

/// What somebody hears of something that happened.
///
/// ```
/// use ludoteca::{Heard, Language, Selection, Session, Sitter};
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let person = |name: &str| Sitter { name: name.into(), chooser: None };
/// let mut session = Session::new(game, vec![person("Ana"), person("Eva")], 7, &Selection::default());
/// session.go_on()?;
/// session.answer_keys(0, &["3".into()])?;
/// session.go_on()?;
/// let said = session.events(0, Some(1), Language::En).find_map(|(_, heard)| match heard {
///     Heard::Said { text, parts, .. } => Some((text, parts.len())),
///     _ => None,
/// });
/// // The whole line, and its parts: who, what stands between, how far, the full stop.
/// assert_eq!(said, Some(("Player 1 runs 3.".into(), 4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Heard {
    Round {
        round: u32,
    },
    /// A step of the rules begins: its function, and whose it is.
    Step {
        step: String,
        seat: Option<u8>,
    },
    /// A line of the game's log, as things stood when it was said.
    Said {
        key: String,
        text: String,
        details: BTreeMap<String, String>,
        parts: Vec<LinePart>,
    },
    Chosen {
        seat: u8,
        prompt: String,
        keys: Vec<String>,
        /// The same for people.
        labels: Vec<String>,
    },
    Rolled {
        die: String,
        shown: Vec<i32>,
        /// For people, where no line of the log tells it.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    Shuffled {
        zone: Option<String>,
    },
    /// A piece went from a zone to another; none is the box. Those who see it neither before nor after are not told which.
    Moved {
        from: Option<String>,
        to: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<u32>,
    },
    /// A piece was turned face up, or down.
    Turned {
        key: u32,
        card: String,
        up: bool,
    },
    /// An attribute changed: of `game`, `p0`, a space.
    Changed {
        of: String,
        attribute: String,
        from: Shown,
        to: Shown,
    },
    /// A script printed something, for its author.
    Printed {
        text: String,
    },
}

/// A piece of a log line: plain text, or something it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum LinePart {
    Text(String),
    Thing { text: String, about: About },
}

impl Heard {
    /// The line people read of it, if there is one.
    pub fn line(&self) -> Option<&str> {
        match self {
            Heard::Said { text, .. } | Heard::Printed { text } => Some(text),
            Heard::Rolled { text, .. } => text.as_deref(),
            _ => None,
        }
    }
}

/// Whether a viewer hears of an event at all, without working out what.
pub fn is_heard(event: &Event, viewer: Option<u8>) -> bool {
    match event {
        Event::Said { to, .. } | Event::Chosen { to, .. } => to.include(viewer),
        Event::Turned { seen_by, .. } => seen_by.include(viewer),
        // Attributes of pieces are in the view alone.
        Event::Changed { kind, seen_by, .. } => *kind != handle::PIECE && seen_by.include(viewer),
        Event::Ended => false,
        _ => true,
    }
}

/// What a viewer hears of an event; `None` if it is not for these ears.
pub fn heard(
    table: &Table,
    event: &Event,
    viewer: Option<u8>,
    language: Language,
) -> Option<Heard> {
    let definition = &table.game.definition;
    Some(match event {
        Event::Said { to, .. } | Event::Chosen { to, .. } if !to.include(viewer) => return None,
        Event::Round { number } => Heard::Round { round: *number },
        Event::Step { function, seat } => Heard::Step {
            step: function.clone(),
            seat: *seat,
        },
        Event::Said { key, details, .. } => {
            let key = table.game.lexicon.logs.get(*key as usize)?;
            Heard::Said {
                key: key.clone(),
                text: say::line(table, event, language)?,
                details: keys(details),
                parts: line_parts(table, key, details, language),
            }
        }
        Event::Chosen {
            seat,
            prompt,
            keys,
            labels,
            ..
        } => Heard::Chosen {
            seat: *seat,
            prompt: say::prompt_key(table, *prompt).to_string(),
            keys: keys.clone(),
            labels: labels
                .iter()
                .map(|label| language.of(label).to_string())
                .collect(),
        },
        Event::Rolled { die, shown } => Heard::Rolled {
            die: definition.dice.get(*die)?.name.clone(),
            shown: shown.clone(),
            text: say::line(table, event, language),
        },
        Event::Shuffled { zone } => Heard::Shuffled {
            zone: zone_name(table, *zone),
        },
        Event::Moved {
            piece,
            card,
            from,
            to,
            seen_by,
            ..
        } => {
            let seen = seen_by.include(viewer);
            let card = definition.cards.get(*card as usize)?;
            Heard::Moved {
                from: zone_name(table, *from),
                to: zone_name(table, *to),
                card: seen.then(|| card.id.clone()),
                key: seen.then_some(*piece),
            }
        }
        Event::Turned {
            piece,
            card,
            up,
            seen_by,
            ..
        } => {
            if !seen_by.include(viewer) {
                return None;
            }
            Heard::Turned {
                key: *piece,
                card: definition.cards.get(*card as usize)?.id.clone(),
                up: *up,
            }
        }
        Event::Changed { seen_by, .. } if !seen_by.include(viewer) => return None,
        Event::Changed { .. } => changed(table, event, viewer)?,
        Event::Printed { text } => Heard::Printed { text: text.clone() },
        Event::Ended => return None,
    })
}

fn keys(details: &[Detail]) -> BTreeMap<String, String> {
    let told = details.iter();
    told.map(|detail| (detail.name.clone(), detail.key.clone()))
        .collect()
}

/// A line in pieces: plain texts, and what it names.
fn line_parts(table: &Table, key: &str, details: &[Detail], language: Language) -> Vec<LinePart> {
    let text = table.game.definition.texts.log.get(key);
    let template = text.map_or("", |text| language.of(text));
    let parts = label::parts(template, details, language);
    parts
        .into_iter()
        .map(|part| match part {
            TextPart::Text(text) => LinePart::Text(text.to_string()),
            TextPart::Detail(detail, text) => LinePart::Thing {
                text,
                about: detail.about.clone(),
            },
        })
        .collect()
}

/// `game.deck`, `p0.hand`, `brasil.garrison`; none for the box.
fn zone_name(table: &Table, zone: u32) -> Option<String> {
    let declared = table.layout.zones.get(zone as usize);
    declared.map(|_| table.zone_key(zone))
}

fn changed(table: &Table, event: &Event, viewer: Option<u8>) -> Option<Heard> {
    let Event::Changed {
        kind,
        id,
        slot,
        from,
        to,
        pieces,
        ..
    } = event
    else {
        return None;
    };
    let attributes = &table.game.definition.attributes;
    let (declared, of) = match *kind {
        handle::GAME => (&attributes.game, "game".to_string()),
        handle::PLAYER => (&attributes.player, format!("p{id}")),
        handle::SPACE => (&attributes.space, table.space_id(*id).to_string()),
        // Pieces have no names of their own; the view shows those one may see.
        _ => return None,
    };
    let attribute = declared.get(slot::index(*slot))?;
    let value = |number: i32, who: Hearers| shown(table, attribute, number, || who.include(viewer));
    Some(Heard::Changed {
        of,
        attribute: attribute.name.clone(),
        from: value(*from, pieces.0),
        to: value(*to, pieces.1),
    })
}
