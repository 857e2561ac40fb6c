//! What a thinking bot would tell a person: the answers worth considering, with chances, how sure that is, and the likeliest reply. Any
//! door may ask: begin, think a little, look, think on, and stop when the person has seen enough.

use super::forced::{self, Wins};
use super::greedy::LookAhead;
use super::options;
use super::search::{Thinking, WIDE_BY_TIME};
use super::tree::ROOT;
use crate::content::definition::Text;
use crate::model::luck::Luck;
use crate::model::streams::Stream;
use crate::play::driver::Door;
use crate::play::imagination::Imagined;
use crate::play::matches::{Match, Status};
use crate::play::say;
use crate::play::session::Session;
use crate::table::label::label;
use serde::Serialize;

/// Own answers that are followed in search of somebody else's reply.
const OWN_ANSWERS: usize = 6;
/// Lines between two looks at whether somebody still waits.
const AT_A_TIME: u32 = 20;

/// What somebody else is likeliest to answer then.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reply {
    pub seat: u8,
    pub prompt: String,
    /// The options' keys, as on the imagined table.
    pub keys: Vec<String>,
    /// The same as people read them.
    pub labels: Vec<Text>,
    /// Out of one, how often.
    pub share: f64,
}

/// One answer and what is thought of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Numbers of the options.
    pub picked: Vec<u32>,
    /// The same as keys.
    pub keys: Vec<String>,
    /// The chance of winning, out of one, and between what it lies 19 times in 20.
    pub chance: f64,
    pub between: (f64, f64),
    /// Whether that is proven: it wins, or loses, whatever the other does.
    pub certain: bool,
    /// Lines that began with it.
    pub visits: u32,
    pub reply: Option<Reply>,
}

/// What is thought of an open choice.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Opinion {
    /// The best first.
    pub answers: Vec<Judged>,
    pub lines: u64,
    /// Whether chances were measured to be right within five points of a hundred where so many play: only then a person should be shown
    /// them as such.
    pub calibrated: bool,
}

/// A hint in the making, for one seat that is asked, about the moment it was begun at.
///
/// ```
/// use ludoteca::{Selection, Session, Sitter};
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let person = |name: &str| Sitter { name: name.into(), chooser: None };
/// let mut session = Session::new(game, vec![person("Ana"), person("Eva")], 7, &Selection::default());
/// session.go_on()?;
/// let mut hint = session.hint(0).expect("seat 0 is asked");
/// // Twenty lines, as long as somebody waits for them.
/// assert_eq!(hint.think(20, |_| true), 20);
/// assert_eq!(hint.opinion(3).answers.len(), 3);
/// assert!(session.hint(1).is_none(), "it is not asked");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Hint {
    played: Match,
    seat: u8,
    luck: Stream,
    thinking: Thinking,
    /// For how many lines forced wins and losses were looked for.
    proven: u32,
    imagined: Option<Box<Imagined>>,
}

impl Opinion {
    /// Whether there was anything to think about, and something was found.
    pub fn tells(&self) -> bool {
        let known = |judged: &Judged| judged.visits > 0 || judged.certain;
        self.answers.len() > 1 && self.answers.iter().any(known)
    }
}

impl Session {
    /// A hint for a seat; nothing if it is asked nothing.
    pub fn hint(&self, seat: u8) -> Option<Hint> {
        Hint::begin(self.copy_of_match(), seat, self.transcript.seed)
    }
}

impl Hint {
    /// Begins to think about what a seat is asked; `None` if it is asked nothing. The same match and seed give the same hint.
    pub fn begin(played: Match, seat: u8, seed: u64) -> Option<Hint> {
        played.choice().and_then(|choice| choice.ask(seat))?;
        let mut luck = Luck::new(seat, seed).now(&played.table.state);
        let mut imagined = None;
        let mut door = Door::new(&played, seat, &mut imagined);
        let mut look = LookAhead::default();
        let thinking = Thinking::begin(&mut look, &mut door, &mut luck, WIDE_BY_TIME, false);
        Some(Hint {
            played,
            seat,
            luck,
            thinking,
            proven: 0,
            imagined,
        })
    }

    /// Makes sure that an answer is among those thought about; gives the numbers it goes by, since options that look alike are one. Nothing
    /// if it is not offered.
    pub fn consider(&mut self, keys: &[String]) -> Option<Vec<u32>> {
        let choice = self.played.choice()?;
        let picked = choice.find(&self.played.table, self.seat, keys).ok()?;
        let Some(candidate) = options::candidate(&self.played, self.seat, &picked) else {
            return Some(picked);
        };
        let at = self.thinking.consider(candidate);
        Some(self.thinking.thoughts[at].candidate.pick.numbers().to_vec())
    }

    /// Thinks until so many lines were tried, or whoever is shown the hint after every few of them does not want to wait any longer. Says
    /// how many were tried: none if there is nothing to think about, or all is proven.
    pub fn think(&mut self, lines: u32, mut waits: impl FnMut(&mut Hint) -> bool) -> u32 {
        self.prove(lines.min(WIDE_BY_TIME));
        let mut thought = 0;
        while thought < lines && waits(self) {
            let mut door = Door::new(&self.played, self.seat, &mut self.imagined);
            let at_a_time = AT_A_TIME.min(lines - thought);
            match self.thinking.think(&mut door, at_a_time) {
                0 => break,
                more => thought += more,
            }
        }
        thought
    }

    /// Looks for forced wins and losses, unless they were looked for as long already.
    fn prove(&mut self, lines: u32) {
        if lines > self.proven {
            self.proven = lines;
            let mut door = Door::new(&self.played, self.seat, &mut self.imagined);
            let luck = &mut self.luck.clone();
            let fates = forced::fates(&mut door, luck, lines, Wins::All);
            self.thinking.know(fates);
        }
    }

    /// What has been found so far, the best `most` answers.
    pub fn opinion(&mut self, most: usize) -> Opinion {
        let played = &self.played;
        let definition = &played.game().definition;
        let calibrated = definition.is_calibrated(played.table.players());
        let mut answers = Vec::new();
        for at in self.thinking.order().into_iter().take(most) {
            let thought = &self.thinking.thoughts[at];
            let (chance, doubt) = (thought.mean(), thought.doubt());
            let certain = thought.is_certain();
            let (picked, visits) = (thought.candidate.pick.numbers().to_vec(), thought.visits);
            let choice = self.played.choice();
            let keys = choice.map(|choice| choice.keys_of(&self.played.table, self.seat, &picked));
            answers.push(Judged {
                keys: keys.unwrap_or_default(),
                picked,
                chance,
                between: ((chance - doubt).max(0.0), (chance + doubt).min(1.0)),
                certain,
                visits,
                reply: self.reply(at),
            });
        }
        Opinion {
            answers,
            lines: self.thinking.lines,
            calibrated,
        }
    }

    /// What somebody else is likeliest to answer after one of the answers, if lines agree on a question.
    fn reply(&mut self, thought: usize) -> Option<Reply> {
        let mut luck = self.luck.clone();
        let mut door = Door::new(&self.played, self.seat, &mut self.imagined);
        let ahead = door.imagine(&mut luck).ahead();
        let candidate = &self.thinking.thoughts[thought].candidate;
        let (mut node, mut looks) = (ROOT, options::mix(0, candidate.looks));
        ahead.answer(self.seat, candidate.pick.numbers()).ok()?;
        for _ in 0..OWN_ANSWERS {
            if ahead.choice().is_some() || ahead.advance().ok()? == Status::Over {
                return None;
            }
            let (child, likeliest) = self.thinking.tree.likeliest(node, looks, ahead)?;
            let offered = options::candidates(ahead, likeliest.seat, &mut luck, None);
            let taken = offered.into_iter().find(|c| c.looks == likeliest.looks)?;
            if likeliest.seat != self.seat {
                let choice = ahead.choice()?;
                let (seat, picked) = (likeliest.seat, taken.pick.numbers());
                let options = (picked.iter()).filter_map(|&n| choice.nth(&ahead.table, seat, n));
                return Some(Reply {
                    seat,
                    prompt: say::prompt_key(&ahead.table, choice.prompt).to_string(),
                    keys: choice.keys_of(&ahead.table, seat, picked),
                    labels: options.map(|option| label(&ahead.table, &option)).collect(),
                    share: likeliest.share,
                });
            }
            ahead.answer(self.seat, taken.pick.numbers()).ok()?;
            (node, looks) = (child, options::mix(0, taken.looks));
        }
        None
    }
}
