//! The house: the shelf of games, the store, and all tables at which something goes on.

use crate::kernel::{Bot, Library, Selection, Transcript};
use crate::refusal::Refusal;
use crate::shelf::{Shelf, locked};
use crate::store::{MatchStore, ToKeep};
use crate::table::{Chair, Setup, Sitting, UndoRule, wake};
use crate::thinkers::Thinkers;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Letters of a key: 128 bits as hexadecimal digits.
const KEY: usize = 32;

type TableSlot = Arc<OnceLock<Result<Arc<Mutex<Sitting>>, Refusal>>>;

pub struct House {
    pub shelf: Shelf,
    pub store: MatchStore,
    pub thinkers: Thinkers,
    tables: Mutex<HashMap<String, TableSlot>>,
}

/// What somebody wants a new match to be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    #[serde(default)]
    game: String,
    seats: Vec<String>,
    #[serde(default)]
    variants: Vec<String>,
    #[serde(default)]
    set: BTreeMap<String, String>,
    #[serde(default)]
    seed: Option<String>,
    #[serde(default = "free")]
    undo: UndoRule,
    #[serde(default = "yes")]
    chat: bool,
    #[serde(default)]
    transcript: Option<String>,
}

fn free() -> UndoRule {
    UndoRule::Free
}

fn yes() -> bool {
    true
}

impl House {
    pub fn new(shelf: Shelf, store: MatchStore) -> House {
        House {
            shelf,
            store,
            thinkers: Thinkers::default(),
            tables: Mutex::default(),
        }
    }

    /// The table a key opens; read from the store unless it is there.
    pub fn table(self: &Arc<Self>, key: &str) -> Result<Arc<Mutex<Sitting>>, Refusal> {
        if key.len() != KEY || !key.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(Refusal::unknown_key());
        }
        let found = self.store.find(key).map_err(|_| Refusal::not_kept())?;
        let (id, _) = found.ok_or_else(Refusal::unknown_key)?;
        let place = locked(&self.tables).entry(id.clone()).or_default().clone();
        let table = place.get_or_init(|| self.fetch(&id)).clone();
        match &table {
            Ok(table) => wake(self, table),
            // Whoever comes next tries again: content may have been mended.
            Err(_) => drop(locked(&self.tables).remove(&id)),
        }
        table
    }

    fn fetch(&self, id: &str) -> Result<Arc<Mutex<Sitting>>, Refusal> {
        let found = self.store.read(id).map_err(|_| Refusal::not_kept())?;
        let found = found.ok_or_else(Refusal::unknown_key)?;
        Ok(Arc::new(Mutex::new(Sitting::from_store(self, found)?)))
    }

    /// Puts tables away at which nobody sits; the store has them.
    pub fn tidy_up(&self) {
        locked(&self.tables).retain(|_, place| match place.get() {
            Some(Ok(table)) if Arc::strong_count(table) == 1 && Arc::strong_count(place) == 1 => {
                !locked(table).is_idle()
            }
            Some(Err(_)) => false,
            _ => true,
        });
    }

    /// All tables at which something goes on.
    pub fn live(&self) -> Vec<Arc<Mutex<Sitting>>> {
        let tables = locked(&self.tables);
        let found = tables.values().filter_map(|place| place.get());
        found.filter_map(|table| table.clone().ok()).collect()
    }

    /// Files have been edited: every match that is played goes on with them if it can.
    pub fn read_again(self: &Arc<Self>, files: &[String]) {
        self.shelf.read_again();
        for table in self.live() {
            locked(&table).read_again(self, files);
            wake(self, &table);
        }
    }

    /// Makes a match and says its keys.
    pub fn begin(self: &Arc<Self>, wanted: NewMatch, from: Maker) -> Result<Json, Refusal> {
        self.begin_with(wanted, from, None)
    }

    /// The same, with the games of other packs than those on the shelf: the match keeps them.
    pub fn begin_with(
        self: &Arc<Self>,
        wanted: NewMatch,
        from: Maker,
        own: Option<&Library>,
    ) -> Result<Json, Refusal> {
        let saved = match &wanted.transcript {
            None => None,
            Some(text) => Some(Transcript::parse(text).map_err(|error| {
                Refusal::new(
                    "bad-request",
                    format!("No es una partida guardada: {error}."),
                    format!("This is no saved match: {error}."),
                )
            })?),
        };
        let selection = match &saved {
            Some(saved) => saved.selection(),
            None => Selection {
                variants: wanted.variants.clone(),
                set: wanted.set.clone().into_iter().collect(),
            },
        };
        let game = saved.as_ref().map_or(&wanted.game, |saved| &saved.game);
        let boxed = match own {
            Some(library) => self.shelf.game_of(library, game, &selection)?,
            None => self.shelf.game(game, &selection)?,
        };
        if let Some(library) = own {
            let entry = ToKeep::Content {
                hash: boxed.hash.clone(),
                files: serde_json::to_string(&library.snapshot(game)).unwrap_or_default(),
            };
            self.store.keep(entry).map_err(|_| Refusal::not_kept())?;
        }
        let (fewest, most) = boxed.game.definition.players;
        let players = wanted.seats.len();
        if !(usize::from(fewest)..=usize::from(most)).contains(&players) {
            return Err(Refusal::new(
                "bad-request",
                format!("Este juego es para {fewest} a {most} jugadores, no {players}."),
                format!("This game is for {fewest} to {most} players, not {players}."),
            ));
        }
        if let Some(saved) = saved.as_ref().filter(|s| usize::from(s.players) != players) {
            return Err(Refusal::new(
                "bad-request",
                format!("La partida guardada es de {} jugadores.", saved.players),
                format!("The saved match is of {} players.", saved.players),
            ));
        }
        let seed = match (&saved, &wanted.seed) {
            (Some(saved), _) => saved.seed,
            (None, None) => random_number()?,
            (None, Some(seed)) => seed.trim().parse().map_err(|_| {
                Refusal::new(
                    "bad-request",
                    format!("«{seed}» no es una semilla: hace falta un número entero."),
                    format!("“{seed}” is no seed: a whole number is needed."),
                )
            })?,
        };
        let who = wanted.seats.iter().map(|seat| who(seat, from));
        let setup = Setup {
            who: who.collect::<Result<_, _>>()?,
            names: vec![None; players],
            colors: vec![None; players],
            undo: wanted.undo,
            chat: wanted.chat,
            old_content: own.is_some(),
        };
        let keys = Keys::new(&wanted.seats)?;
        let id = random_key()?[..12].to_string();
        let mut table = Sitting::new(id.clone(), boxed, setup, keys.chairs(), seed, selection);
        if let Some(saved) = &saved
            && let Err(error) = table.follow(saved)
        {
            return Err(Refusal::new(
                "bad-request",
                format!("La partida guardada no vale con el contenido de ahora: {error}."),
                format!("The saved match does not fit the content as it is: {error}."),
            ));
        }
        table.begin(self)?;
        let table = Arc::new(Mutex::new(table));
        let place = TableSlot::default();
        let _ = place.set(Ok(table.clone()));
        locked(&self.tables).insert(id.clone(), place);
        wake(self, &table);
        Ok(json!({ "match": id, "keys": keys.json() }))
    }

    /// What the lobby says of the matches of some keys.
    pub fn known(self: &Arc<Self>, keys: &[String]) -> Json {
        let mut matches = Vec::new();
        let mut unknown = Vec::new();
        for key in keys {
            match self.table(key) {
                Ok(table) => matches.extend(locked(&table).summary(key)),
                Err(refusal) if refusal.code == "unknown-key" => unknown.push(key),
                Err(refusal) => matches.push(
                    json!({ "key": key, "problem": { "es": refusal.es, "en": refusal.en, "diagnostics": refusal.diagnostics } }),
                ),
            }
        }
        json!({ "matches": matches, "unknown": unknown })
    }
}

/// Who makes a match: whoever started the server may have any bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    Page,
    Command,
}

/// Who a seat of a new match is for.
fn who(seat: &str, from: Maker) -> Result<String, Refusal> {
    match seat {
        "me" | "link" => Ok("person".into()),
        bot if from == Maker::Command && bot.parse::<Bot>().is_ok() => Ok(bot.into()),
        bot => match TIERS.iter().find(|tier| tier.0 == bot) {
            Some((bot, ..)) => Ok(bot.to_string()),
            None => Err(Refusal::new(
                "bad-request",
                format!("Nadie que se llame «{bot}» puede sentarse."),
                format!("Nobody called “{bot}” can sit down."),
            )),
        },
    }
}

/// The bots that may sit down, weakest first, with what people call them. No other can be asked for: how long one thinks is for the
/// server to say.
pub const TIERS: [(&str, &str, &str); 4] = [
    ("random", "Al azar", "Random"),
    ("policy", "Con costumbres", "By habit"),
    ("greedy", "Una jugada adelante", "One move ahead"),
    ("search:2s", "Piensa dos segundos", "Thinks for two seconds"),
];

/// Time that passes, for bots that think by the clock.
pub fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The keys of a new match.
struct Keys {
    me: (Vec<u8>, String),
    seats: Vec<(u8, String)>,
    players: usize,
    watch: String,
}

impl Keys {
    fn new(seats: &[String]) -> Result<Keys, Refusal> {
        let numbered = || (0..).zip(seats);
        let mine = numbered().filter(|(_, who)| *who == "me");
        let by_link = numbered().filter(|(_, who)| *who == "link");
        Ok(Keys {
            me: (mine.map(|(seat, _)| seat).collect(), random_key()?),
            seats: by_link
                .map(|(seat, _)| Ok((seat, random_key()?)))
                .collect::<Result<_, Refusal>>()?,
            players: seats.len(),
            watch: random_key()?,
        })
    }

    /// Whoever makes a match without sitting down watches it.
    fn chairs(&self) -> Vec<(String, Chair)> {
        let chair = |seats: Vec<u8>, maker: bool| Chair { seats, maker };
        let mut chairs: Vec<(String, Chair)> = self
            .seats
            .iter()
            .map(|(seat, key)| (key.clone(), chair(vec![*seat], false)))
            .collect();
        chairs.push((self.me.1.clone(), chair(self.me.0.clone(), true)));
        chairs.push((self.watch.clone(), chair(Vec::new(), false)));
        chairs.sort_by(|a, b| a.0.cmp(&b.0));
        chairs
    }

    fn json(&self) -> Json {
        let mut seats = vec![Json::Null; self.players];
        for (seat, key) in &self.seats {
            seats[usize::from(*seat)] = json!(key);
        }
        json!({ "me": self.me.1, "seats": seats, "watch": self.watch })
    }
}

/// 128 bits nobody can guess.
pub fn random_key() -> Result<String, Refusal> {
    let mut bits = [0; KEY / 2];
    getrandom::fill(&mut bits).map_err(|_| Refusal::not_kept())?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A seed for a match nobody asked to be a certain one: nobody at the table shall guess it either.
fn random_number() -> Result<u64, Refusal> {
    let mut bits = [0; 8];
    getrandom::fill(&mut bits).map_err(|_| Refusal::not_kept())?;
    Ok(u64::from_le_bytes(bits))
}

/// Seconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}
