//! Bots at a table: they think on threads of their own, and each of their decisions is on disk before anybody is told of it.

use super::Sitting;
use crate::house::House;
use crate::kernel::{BrokenRule, Driver, Match};
use crate::shelf::locked;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A bot that needs less decides on the spot, without a copy of the match.
const QUICK: Duration = Duration::from_millis(3);
/// For so long bots may answer one after the other before others get at the table.
const TURN: Duration = Duration::from_millis(25);

/// What came of thinking.
type Thought = std::thread::Result<Result<Vec<u32>, BrokenRule>>;

/// Lets the bots of a table answer, if one of them is asked and none is at it.
pub fn wake(house: &Arc<House>, table: &Arc<Mutex<Sitting>>) {
    let mut at = locked(table);
    if at.thinking.is_some() || at.stuck || at.may_go_on().is_err() {
        return;
    }
    let Some(seat) = at.session.asked_bot() else {
        return;
    };
    at.thinking = Some(seat);
    drop(at);
    let (house, table) = (house.clone(), table.clone());
    house.clone().thinkers.think(move || go_on(&house, &table));
}

/// Bot after bot, until a person is asked or the match is over.
fn go_on(house: &Arc<House>, table: &Arc<Mutex<Sitting>>) {
    loop {
        let mut at = locked(table);
        let Some(seat) = at.session.asked_bot().filter(|_| !at.stuck) else {
            at.thinking = None;
            return;
        };
        at.thinking = Some(seat);
        if at.quick[usize::from(seat)] {
            at.answer_for_a_while(house);
            continue;
        }
        let epoch = at.epoch;
        let Some((mut driver, copy)) = at.session.send_to_think(seat) else {
            at.thinking = None;
            return;
        };
        drop(at);
        let started = Instant::now();
        let thought = think(&mut driver, &copy);
        let quick = started.elapsed() < QUICK;
        let mut at = locked(table);
        at.quick[usize::from(seat)] = quick;
        if at.epoch == epoch {
            at.session.come_back(seat, driver);
            at.take_from_bot(house, seat, thought);
        }
    }
}

fn think(driver: &mut Driver, copy: &Match) -> Thought {
    catch_unwind(AssertUnwindSafe(|| driver.pick(copy)))
}

impl Sitting {
    /// Bots known to be quick answer on the spot. One that is not known yet thinks elsewhere: at the table nobody waits for it.
    fn answer_for_a_while(&mut self, house: &House) {
        let started = Instant::now();
        while started.elapsed() < TURN
            && let Some(seat) = self.session.asked_bot().filter(|_| !self.stuck)
            && self.quick[usize::from(seat)]
        {
            let before = Instant::now();
            let thought = catch_unwind(AssertUnwindSafe(|| self.session.pick_now(seat)));
            self.quick[usize::from(seat)] = before.elapsed() < QUICK;
            self.take_from_bot(house, seat, thought);
        }
    }

    /// A bot's answer counts like anybody's. What goes wrong stops this match, and no other.
    fn take_from_bot(&mut self, house: &House, seat: u8, thought: Thought) {
        let answered = match thought {
            Ok(Ok(picked)) => self
                .session
                .answer_of_bot(seat, &picked)
                .map_err(|error| error.to_string())
                .and_then(|()| self.decided(house).map_err(|refusal| refusal.en)),
            Ok(Err(broken)) => Err(broken.to_string()),
            Err(_) => Err("a bot broke".into()),
        };
        if let Err(why) = answered {
            self.rebuild(self.kept);
            self.break_down(&why);
            self.tell_states();
        }
    }
}
