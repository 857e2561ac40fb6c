//! Whoever chooses for a seat by themselves: they stand at a door through which they see what their seat is asked and imagine the rest.

use super::imagination::Imagined;
use super::matches::{Began, BrokenRule, Given, Match, Status};
use crate::model::luck::Luck;
use crate::model::streams::Stream;
use crate::table::choice::Wanted;
use std::fmt::Debug;
use std::sync::Arc;

/// A way to choose. All it gets of a match is a [`Door`], and its luck comes from the match, so that the same match gives the same answer.
///
/// ```
/// use ludoteca::{BrokenRule, Chooser, Door, Selection, Session, Sitter, Status, Stream};
///
/// /// Takes the last option, whatever it is.
/// #[derive(Debug)]
/// struct Eager;
///
/// impl Chooser for Eager {
///     fn choose(&mut self, door: &mut Door, _: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
///         Ok(vec![door.count() - 1])
///     }
/// }
///
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let eager = || Sitter { name: "eager".into(), chooser: Some(Box::new(Eager)) };
/// let mut session = Session::new(game, vec![eager(), eager()], 7, &Selection::default());
/// assert_eq!(session.go_on()?, Status::Over);
/// assert_eq!(session.ranking()?[0].score, [6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Chooser: Debug + Send {
    /// Numbers of the options taken.
    fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule>;

    /// How many questions of its seat in a step it may think of together, carrying what it found at one of them to the next. After so many
    /// it begins anew. It is shown all of them in their order, also those that were answered before it came: so it thinks the same however
    /// the match came to stand there.
    fn questions_in_a_row(&self) -> usize {
        1
    }

    /// How many lines of thought it has tried so far.
    fn lines(&self) -> u64 {
        0
    }

    /// A row of questions begins, or is gone through once more: whatever it had in mind is over.
    fn begin_row(&mut self) {}
}

/// What a chooser sees of a match that waits for its seat.
#[derive(Debug)]
pub struct Door<'a> {
    real: &'a Match,
    seat: u8,
    memory: &'a mut Option<Box<Imagined>>,
}

impl<'a> Door<'a> {
    /// Where somebody stands who answers for a seat, with the memory of former looks.
    pub fn new(real: &'a Match, seat: u8, memory: &'a mut Option<Box<Imagined>>) -> Door<'a> {
        Door { real, seat, memory }
    }

    /// The match itself, for another door to it.
    pub(crate) fn real(&self) -> &'a Match {
        self.real
    }

    pub fn seat(&self) -> u8 {
        self.seat
    }

    /// How many answers were given in the step under way, and the last of them, if it was the seat's own.
    pub(crate) fn answered(&self) -> (usize, Option<&'a [u32]>) {
        let answers = self
            .real
            .step_under_way()
            .map_or(&[][..], |(_, given)| given);
        let own = answers.last().filter(|given| given.seat == self.seat);
        (answers.len(), own.map(|given| &given.picked[..]))
    }

    /// How many options the seat has, the words beside them included; none if it is not asked.
    pub fn count(&self) -> u32 {
        let choice = self.real.choice();
        choice.map_or(0, |choice| choice.count(&self.real.table, self.seat))
    }

    /// Whether others are asked at the same time, in secret.
    pub fn is_together(&self) -> bool {
        let choice = self.real.choice();
        choice.is_some_and(|choice| choice.together() && choice.asks.len() > 1)
    }

    /// How many of them are wanted.
    pub fn wanted(&self) -> Wanted {
        self.real
            .choice()
            .map_or(Wanted::One, |choice| choice.wanted)
    }

    /// The table as the seat may believe it to be. Who is asked at the same time has answered something.
    pub fn imagine(&mut self, luck: &mut Stream) -> &mut Imagined {
        let imagined = self.imagine_unanswered(luck);
        imagined.answer_for_others(luck);
        imagined
    }

    /// The same; what those answer who are asked at the same time is still open.
    pub fn imagine_unanswered(&mut self, luck: &mut Stream) -> &mut Imagined {
        let (real, seat) = (self.real, self.seat);
        let imagined = self.memory();
        imagined.look(real, seat, luck);
        imagined
    }

    /// The table that was imagined last, as it was left.
    pub fn memory(&mut self) -> &mut Imagined {
        let (real, seat) = (self.real, self.seat);
        self.memory
            .get_or_insert_with(|| Box::new(Imagined::of(real, seat)))
    }
}

/// A chooser on its seat.
#[derive(Debug)]
pub struct Driver {
    chooser: Box<dyn Chooser>,
    seat: u8,
    luck: Luck,
    /// A second table to look ahead on; made when first needed.
    imagined: Option<Box<Imagined>>,
    /// The question it was shown last: the step, and what was answered in it before.
    shown: Option<(Arc<Began>, Vec<Given>)>,
}

impl Driver {
    pub fn new(chooser: Box<dyn Chooser>, seat: u8, seed: u64) -> Driver {
        Driver {
            chooser,
            seat,
            luck: Luck::new(seat, seed),
            imagined: None,
            shown: None,
        }
    }

    /// How many decisions it has imagined so far.
    pub fn imagined(&self) -> u64 {
        self.imagined.as_ref().map_or(0, |table| table.asked())
    }

    /// How many lines of thought its chooser has tried so far.
    pub fn lines(&self) -> u64 {
        self.chooser.lines()
    }

    /// The options taken in the open choice of the seat.
    pub fn pick(&mut self, played: &Match) -> Result<Vec<u32>, BrokenRule> {
        if self.chooser.questions_in_a_row() > 1 {
            self.catch_up(played)?;
        }
        self.ask(played)
    }

    fn ask(&mut self, played: &Match) -> Result<Vec<u32>, BrokenRule> {
        let mut luck = self.luck.now(&played.table.state);
        if let Some(imagined) = &mut self.imagined {
            imagined.look_anew();
        }
        let mut door = Door::new(played, self.seat, &mut self.imagined);
        self.chooser.choose(&mut door, &mut luck)
    }

    /// Shows the chooser the former questions of the row, unless it has just been asked the last of them.
    fn catch_up(&mut self, played: &Match) -> Result<(), BrokenRule> {
        let Some((began, answers)) = played.step_under_way() else {
            self.chooser.begin_row();
            self.shown = None;
            return Ok(());
        };
        let seat = self.seat;
        let own = |answers: &[Given]| answers.iter().filter(|given| given.seat == seat).count();
        let asked = own(answers);
        let of_the_row = asked % self.chooser.questions_in_a_row();
        let goes_on = matches!(&self.shown, Some((step, before)) if Arc::ptr_eq(step, began)
            && answers.starts_with(before)
            && own(&answers[before.len()..]) == 1);
        if !goes_on || of_the_row == 0 {
            self.chooser.begin_row();
        }
        if !goes_on && of_the_row > 0 {
            self.go_through(played, asked - of_the_row)?;
        }
        match &mut self.shown {
            Some((_, before)) if goes_on => before.extend_from_slice(&answers[before.len()..]),
            shown => *shown = Some((began.clone(), answers.to_vec())),
        }
        Ok(())
    }

    /// Goes through the step under way as it was, and asks the chooser wherever its seat was asked, but for so many questions at first.
    fn go_through(&mut self, played: &Match, mut at_first: usize) -> Result<(), BrokenRule> {
        let mut again = Match::empty(played.game().clone(), played.table.players(), 0);
        again.keeps_steps = true;
        let answers = again.follow_to_the_step(played).unwrap_or_default();
        for given in answers {
            if again.advance()? == Status::Over {
                break;
            }
            if given.seat == self.seat {
                match at_first {
                    0 => {
                        self.ask(&again)?;
                    }
                    _ => at_first -= 1,
                }
            }
            if again.answer(given.seat, &given.picked).is_err() {
                break;
            }
        }
        Ok(())
    }
}
