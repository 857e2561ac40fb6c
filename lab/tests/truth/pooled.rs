//! Numbers that many things of each game are put together for: what hangs together in a game must not count several times.

use crate::Rate;
use crate::made_up::{Luck, rate};
use ludoteca::close_look::{Count, StepUse, Use};
use ludoteca::{Close, Text};
use ludoteca_lab::findings::Findings;
use ludoteca_lab::record::{ContentItem, FORMAT, Header, Record};
use ludoteca_lab::summary::Summary;

fn header(players: u8) -> Header {
    Header {
        format: FORMAT,
        players,
        bots: vec!["random".into(); players as usize],
        close: 1,
        items: vec![ContentItem {
            id: "card".into(),
            kind: "card".into(),
            name: Text::default(),
            copies: 1,
        }],
        ..Header::default()
    }
}

fn won_by(game: u64, players: u8, winner: u8, close: Close) -> Record {
    let place = |seat: u8| if seat == winner { 1 } else { 2 };
    Record {
        game,
        bots: vec!["random".into(); players as usize],
        winners: vec![winner],
        places: (0..players).map(place).collect(),
        scores: vec![0; players as usize],
        decisions: 10,
        close: Some(close),
        ..Record::default()
    }
}

fn found(header: Header, games: u64, mut game: impl FnMut(u64) -> Record) -> Findings {
    let mut summary = Summary::new(header);
    (0..games).for_each(|n| summary.add(&game(n)));
    summary.findings()
}

fn used(seat: u8, offered: u32, taken: u32) -> Use {
    Use {
        item: 0,
        seat,
        count: Count {
            offered,
            taken,
            played: taken,
        },
    }
}

/// A card that comes to one seat in some of the games, and makes it win so often; how a seat stands after a quarter is a matter of luck.
struct Card {
    name: &'static str,
    players: u8,
    comes: f64,
    wins: f64,
}

impl Card {
    fn impact(&self) -> f64 {
        // Those without it: all seats of games in which it did not come, and the others of those in which it did.
        let others = f64::from(self.players - 1);
        let (with_one, with_none) = (self.comes * others, (1.0 - self.comes) * (others + 1.0));
        let won = self.comes * (1.0 - self.wins) + (1.0 - self.comes);
        self.wins - won / (with_one + with_none)
    }

    fn played(&self, game: u64, luck: &mut Luck) -> Record {
        let players = self.players;
        let mut winner = luck.seat(u32::from(players));
        let mut uses = Vec::new();
        if luck.comes(self.comes) {
            let owner = luck.seat(u32::from(players));
            uses.push(used(owner, 1, 1));
            winner = match luck.comes(self.wins) {
                true => owner,
                false => (owner + 1 + luck.seat(u32::from(players) - 1)) % players,
            };
        }
        let standing = (0..players).map(|_| Some(i64::from(luck.seat(3))));
        let values = vec![standing.collect(); 15];
        let close = Close {
            values,
            uses,
            ..Close::default()
        };
        won_by(game, players, winner, close)
    }
}

const CARDS: [Card; 6] = [
    Card {
        name: "one of two has it, and it does nothing",
        players: 2,
        comes: 1.0,
        wins: 0.5,
    },
    Card {
        name: "one of four has it, and it does nothing",
        players: 4,
        comes: 1.0,
        wins: 0.25,
    },
    Card {
        name: "one of four has it in one game of five",
        players: 4,
        comes: 0.2,
        wins: 0.25,
    },
    Card {
        name: "one of two has it in half of the games, and wins two of three",
        players: 2,
        comes: 0.5,
        wins: 2.0 / 3.0,
    },
    Card {
        name: "one of four has it, and wins every second game",
        players: 4,
        comes: 1.0,
        wins: 0.5,
    },
    Card {
        name: "one of six has it in half of the games, and hardly ever wins",
        players: 6,
        comes: 0.5,
        wins: 0.05,
    },
];

/// Impact at equal position.
pub fn impacts(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for card in CARDS {
        for games in [100, 400] {
            let mut told = 0;
            let held = rate(runs, |run| {
                let mut luck = Luck::new(run, card.name);
                let all = found(header(card.players), games, |n| card.played(n, &mut luck));
                let impact = all.content[0].impact;
                told += u64::from(impact.is_some());
                impact.is_none_or(|impact| impact.holds(card.impact()))
            });
            let missed = (1.0 - held) * runs as f64 / told.max(1) as f64;
            let game = format!("{}, {games} games", card.name);
            let promise = "95 % intervals of impact";
            rates.push(Rate::new(promise, game, 1.0 - missed, (0.925, 0.98)));
        }
    }
    rates
}

/// A step that comes some times a game: (how often it is idle, how often it comes) of a game.
type Step = fn(&mut Luck) -> (u32, u32);

const STEPS: [(&str, Step, f64); 5] = [
    (
        "all ten times or never, in half of the games",
        |luck| (if luck.comes(0.5) { 10 } else { 0 }, 10),
        0.5,
    ),
    (
        "all ten times or never, in one game of ten",
        |luck| (if luck.comes(0.1) { 10 } else { 0 }, 10),
        0.1,
    ),
    (
        "each of ten times by itself, 30 %",
        |luck| ((0..10).filter(|_| luck.comes(0.3)).count() as u32, 10),
        0.3,
    ),
    (
        "one or two of two times",
        |luck| (if luck.comes(0.5) { 1 } else { 2 }, 2),
        0.75,
    ),
    (
        "20 times in short games, 60 in long ones that are idle",
        |luck| match luck.comes(0.3) {
            true => (30, 60),
            false => ((0..20).filter(|_| luck.comes(0.1)).count() as u32, 20),
        },
        (0.3 * 30.0 + 0.7 * 2.0) / (0.3 * 60.0 + 0.7 * 20.0),
    ),
];

/// Steps that leave nothing to decide.
pub fn idle_steps(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for (name, step, truth) in STEPS {
        for games in [40, 200] {
            let held = rate(runs, |run| {
                let mut luck = Luck::new(run, name);
                let all = found(header(2), games, |n| {
                    let (idle, times) = step(&mut luck);
                    let function = "turn".to_string();
                    let steps = vec![StepUse {
                        function,
                        times,
                        idle,
                    }];
                    won_by(
                        n,
                        2,
                        0,
                        Close {
                            steps,
                            ..Close::default()
                        },
                    )
                });
                all.steps[0].idle.holds(truth)
            });
            let promise = "95 % intervals of steps with nothing to decide";
            rates.push(Rate::new(
                promise,
                format!("{name}, {games} games"),
                held,
                (0.925, 0.98),
            ));
        }
    }
    rates
}

/// Wins with something that two of four seats have in half of the games, and what is called taken always though it is not.
pub fn wins_and_offers(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for games in [60, 400] {
        // Whoever has the card wins half as often again as the other two.
        let both = |run: u64| {
            let mut luck = Luck::new(run, "wins with");
            let all = found(header(4), games, |n| {
                let comes = luck.comes(0.5);
                let winner = match luck.comes(if comes { 0.6 } else { 0.5 }) {
                    true => luck.seat(2),
                    false => 2 + luck.seat(2),
                };
                let uses = (0..2).filter(|_| comes).map(|seat| used(seat, 1, 1));
                won_by(
                    n,
                    4,
                    winner,
                    Close {
                        uses: uses.collect(),
                        ..Close::default()
                    },
                )
            });
            let item = &all.content[0];
            // Without it: the others of half of the games, and all of the other half.
            let without = (0.5 * 0.4 + 0.5) / (0.5 * 2.0 + 0.5 * 4.0);
            [
                item.wins_with.unwrap().holds(0.3),
                item.wins_without.unwrap().holds(without),
            ]
        };
        for (which, name) in ["wins with it", "wins without it"].into_iter().enumerate() {
            let held = rate(runs, |run| both(run)[which]);
            let game =
                format!("two of four seats have it in half of the games, {name}, {games} games");
            rates.push(Rate::new(
                "95 % intervals of wins with and without",
                game,
                held,
                (0.925, 0.995),
            ));
        }
        let named = |share: f64, always: bool| {
            rate(runs, |run| {
                let mut luck = Luck::new(run, "always");
                let all = found(header(2), games, |n| {
                    // In so many games it is taken all twenty times, in the others never.
                    let taken = if luck.comes(share) { 20 } else { 0 };
                    let uses = vec![used(0, 20, taken)];
                    won_by(
                        n,
                        2,
                        0,
                        Close {
                            uses,
                            ..Close::default()
                        },
                    )
                });
                all.dominated.iter().any(|item| item.always == always)
            })
        };
        for (share, always) in [(0.875, true), (0.9, true), (0.05, false), (0.07, false)] {
            let game = format!(
                "taken in {:.1} % of the games, {games} games",
                share * 100.0
            );
            rates.push(Rate::new(
                "called “taken always” or “never” though it is not",
                game,
                named(share, always),
                (0.0, 0.05),
            ));
        }
    }
    rates
}

/// What skill, seat and luck are worth: a strong bot that wins so often, whoever sits first winning so much more.
pub fn worth(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for (wins, games) in [
        (0.7, 60),
        (0.7, 400),
        (0.9, 200),
        (0.55, 400),
        (0.5, 100),
        (0.95, 60),
        (0.98, 60),
        (1.0, 60),
    ] {
        let held = rate(runs, |run| {
            let mut luck = Luck::new(run, "worth");
            let header = Header {
                bots: vec!["strong".into(), "weak".into()],
                rotate: true,
                ..header(2)
            };
            let all = found(header, games, |n| {
                let strong = (n % 2) as u8;
                let winner = if luck.comes(wins) { strong } else { 1 - strong };
                let mut bots = vec!["strong".into(), "weak".into()];
                bots.rotate_right(n as usize % 2);
                Record {
                    bots,
                    ..won_by(n, 2, winner, Close::default())
                }
            });
            let truth = (wins - 0.5) * (wins - 0.5) / 0.25;
            all.worth.unwrap().skill.holds(truth)
        });
        let game = format!(
            "a bot that wins {:.0} % between two, {games} games",
            wins * 100.0
        );
        rates.push(Rate::new(
            "95 % intervals of what skill is worth",
            game,
            held,
            (0.925, 1.0),
        ));
    }
    rates
}

pub fn all(runs: u64) -> Vec<Rate> {
    [impacts, idle_steps, wins_and_offers, worth]
        .iter()
        .flat_map(|of| of(runs))
        .collect()
}
