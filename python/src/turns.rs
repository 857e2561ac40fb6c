//! A match one decision at a time, for programs that answer with a number of the fixed list. Where several options are wanted it first
//! asks how many, then for one after the other, so that a uniform choice here is a uniform choice there.

use crate::door::Mistake;
use crate::kernel::{
    AnswerError, AnsweredBy, Bot, BrokenRule, Driver, Encoding, Game, Luck, Match, OpenActions,
    Question, Rank, Status, Wanted, random,
};
use std::sync::Arc;

/// A match, who sits at it, and what is asked now.
pub struct Turns {
    pub played: Match,
    pub encoding: Arc<Encoding>,
    /// A bot for each seat that is not asked from outside.
    seats: Vec<Option<Bot>>,
    drivers: Vec<Option<Driver>>,
    /// Decisions of the matches before this one.
    before: u64,
    /// Who is asked; nobody when the match is over.
    pub asked: Option<u8>,
    pub question: Question,
    picked: Vec<u32>,
    /// The least that may be taken, while it is asked how many.
    least: u32,
    pub open: OpenActions,
    pub mask: Vec<i8>,
}

impl Turns {
    pub fn new(game: &Arc<Game>, encoding: Arc<Encoding>, seats: Vec<Option<Bot>>) -> Turns {
        let places = encoding.actions.size as usize;
        let mut played = Match::new(game.clone(), encoding.players, 0);
        played.keeps_steps = think(&seats);
        Turns {
            played,
            encoding,
            seats,
            drivers: Vec::new(),
            before: 0,
            asked: None,
            question: Question::default(),
            picked: Vec::new(),
            least: 0,
            open: OpenActions::default(),
            mask: vec![0; places],
        }
    }

    /// Begins another match.
    pub fn begin(&mut self, seed: u64) -> Result<(), BrokenRule> {
        self.before = self.decisions();
        self.played.restart(seed);
        self.drivers.clear();
        let on_the_spot = !think(&self.seats);
        for (seat, bot) in (0..).zip(&self.seats) {
            let driver = match bot {
                Some(Bot::Random) if on_the_spot => {
                    self.played.seat_random(seat, Luck::new(seat, seed));
                    None
                }
                Some(bot) => Some(bot.driver(seat, seed)),
                None => None,
            };
            self.drivers.push(driver);
        }
        self.go_on()
    }

    /// Goes on until somebody outside is asked, or the match is over.
    fn go_on(&mut self) -> Result<(), BrokenRule> {
        loop {
            self.asked = None;
            if self.played.advance()? == Status::Over {
                self.forget();
                return Ok(());
            }
            let waiting = self.played.choice().and_then(|choice| choice.waiting());
            let Some(seat) = waiting else {
                self.forget();
                return Ok(());
            };
            match self.bot_answers(seat)? {
                Some(picked) => self.take(seat, &picked)?,
                None => {
                    self.ask(seat);
                    return Ok(());
                }
            }
        }
    }

    /// What the bot on a seat takes, if one sits there.
    fn bot_answers(&mut self, seat: u8) -> Result<Option<Vec<u32>>, BrokenRule> {
        if let Some(driver) = &mut self.drivers[seat as usize] {
            return driver.pick(&self.played).map(Some);
        }
        // Who answers on the spot still waits where others are asked at the same time.
        let Some(AnsweredBy::Random(luck)) = self.played.table.seats.get(seat as usize) else {
            return Ok(None);
        };
        let mut luck = luck.now(&self.played.table.state);
        Ok(Some(random::pick(&self.played, seat, &mut luck)))
    }

    fn take(&mut self, seat: u8, picked: &[u32]) -> Result<(), BrokenRule> {
        // Only what is offered comes here.
        let taken = self.played.answer(seat, picked);
        debug_assert_eq!(taken, Ok(()));
        Ok(())
    }

    fn ask(&mut self, seat: u8) {
        self.asked = Some(seat);
        self.picked.clear();
        let wanted = self.played.choice().map_or(Wanted::One, |c| c.wanted);
        let (least, most) = match wanted {
            Wanted::One => (1, 1),
            Wanted::Some { min, max } => (min, max),
        };
        self.question = Question {
            how_many: least < most,
            left: most,
            taken: 0,
        };
        self.least = least;
        if self.question.how_many {
            let actions = &self.encoding.actions;
            actions.amounts(least, most, &mut self.open, &mut self.mask);
        } else {
            self.list(seat);
        }
    }

    /// Lists the options.
    fn list(&mut self, seat: u8) {
        let actions = &self.encoding.actions;
        actions.open(&self.played, seat, &mut self.open, &mut self.mask);
    }

    fn forget(&mut self) {
        self.open.clear(&mut self.mask);
    }

    /// Takes the option at a place of the fixed list.
    pub fn step(&mut self, place: u32) -> Result<(), Mistake> {
        let seat = self
            .asked
            .ok_or_else(|| Mistake::Value("the match is over: reset it".into()))?;
        let Some(option) = self.open.option(place) else {
            return Err(Mistake::Illegal(AnswerError::UnknownOption {
                key: format!("action {place}"),
                suggestion: None,
            }));
        };
        if self.question.how_many {
            self.question.how_many = false;
            self.question.left = self.least + option;
            if self.question.left > 0 {
                self.list(seat);
                return Ok(());
            }
        } else {
            self.picked.push(option);
            self.question.left -= 1;
            self.question.taken += 1;
            if self.question.left > 0 {
                self.open.close(option, &mut self.mask);
                return Ok(());
            }
        }
        let mut picked = std::mem::take(&mut self.picked);
        picked.sort_unstable();
        self.take(seat, &picked)?;
        self.picked = picked;
        Ok(self.go_on()?)
    }

    /// Decisions so far, in all matches, as the lab counts them.
    pub fn decisions(&self) -> u64 {
        self.before + self.played.table.state.tally.decisions
    }

    /// What a seat sees, in numbers.
    pub fn observe(&self, seat: u8, out: &mut [f32]) {
        let question = (self.asked == Some(seat)).then_some(self.question);
        self.encoding
            .observation
            .fill(&self.played, seat, question, out);
    }

    /// What the match is worth to each seat.
    pub fn returns(&mut self, by: Returns) -> Result<Vec<f32>, BrokenRule> {
        Ok(by.of(&self.played.ranking()?))
    }
}

/// Whether some bot looks ahead: for it steps are kept as they began, and nobody answers on the spot. Others must not pay for it.
fn think(seats: &[Option<Bot>]) -> bool {
    seats.iter().flatten().any(|&bot| bot != Bot::Random)
}

/// What an ended match is worth, from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// 1 for who wins alone, -1 for who loses; a shared first place is worth its part of a win.
    Win,
    /// 1 for the first place, -1 for the last, evenly between; those who share places share what they are worth.
    Place,
}

impl Returns {
    pub fn parse(name: &str) -> Result<Returns, Mistake> {
        match name {
            "win" => Ok(Returns::Win),
            "place" => Ok(Returns::Place),
            other => Err(Mistake::Value(format!(
                "unknown returns `{other}`; they are `win` or `place`"
            ))),
        }
    }

    pub fn of(self, ranking: &[Rank]) -> Vec<f32> {
        let mut worth = vec![0.0; ranking.len()];
        let players = ranking.len() as f32;
        for place in ranking {
            let sharing = ranking.iter().filter(|o| o.place == place.place).count() as f32;
            worth[place.seat as usize] = match self {
                Returns::Win if place.place == 1 => 2.0 / sharing - 1.0,
                Returns::Win => -1.0,
                Returns::Place if ranking.len() == 1 => match place.place {
                    1 => 1.0,
                    _ => -1.0,
                },
                Returns::Place => {
                    let before = ranking.iter().filter(|o| o.place < place.place).count() as f32;
                    let middle = before + (sharing - 1.0) / 2.0;
                    1.0 - 2.0 * middle / (players - 1.0)
                }
            };
        }
        worth
    }
}
