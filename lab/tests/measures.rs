//! Measures of runs, held against made-up games whose truth is plain to see.

use ludoteca::{
    Bot, Close, Language, SpaceUse, Text, Turnover, Wait,
    close_look::{Count, Use},
};
use ludoteca_lab::compare::Comparison;
use ludoteca_lab::findings::Findings;
use ludoteca_lab::ladder::{self, Pairing, Rung};
use ludoteca_lab::record::{BoardSpace, ContentItem, FORMAT, Header, Record};
use ludoteca_lab::report::{self, Pictures};
use ludoteca_lab::statistics::Estimate;
use ludoteca_lab::summary::Summary;
use ludoteca_lab::weighing::Weighed;

fn named(name: &str) -> Text {
    Text {
        es: name.into(),
        en: name.into(),
    }
}

fn header() -> Header {
    let card = |id: &str| ContentItem {
        id: id.into(),
        kind: "card".into(),
        name: named(id),
        copies: 1,
    };
    Header {
        format: FORMAT,
        players: 2,
        bots: vec!["strong".into(), "weak".into()],
        rotate: true,
        close: 1,
        items: vec![card("sword"), card("crown"), card("stick")],
        spaces: vec![BoardSpace {
            id: "hill".into(),
            name: named("Hill"),
            at: Some((1, 1)),
        }],
        ..Header::default()
    }
}

/// A game won by a seat; the strong one sits on seat 0 in even games.
fn game(number: u64, winner: u8) -> Record {
    let mut bots = vec!["strong".into(), "weak".into()];
    bots.rotate_right(number as usize % 2);
    Record {
        game: number,
        bots,
        winners: vec![winner],
        places: (0..2)
            .map(|seat| if seat == winner { 1 } else { 2 })
            .collect(),
        scores: vec![0, 0],
        decisions: 10,
        ..Record::default()
    }
}

fn found(games: impl Iterator<Item = Record>) -> Findings {
    let mut summary = Summary::new(header());
    games.for_each(|game| summary.add(&game));
    summary.findings()
}

/// Three of every ten choices that were tried make no difference; games in which none was tried do not count.
#[test]
fn choices_that_make_no_difference() {
    let weighed = |n: u64| Weighed {
        choices: if n.is_multiple_of(2) { 10 } else { 0 },
        alike: if n.is_multiple_of(2) { 3 } else { 0 },
    };
    let all = found((0..40).map(|n| Record {
        weighed: weighed(n),
        ..game(n, 0)
    }));
    let told = all.measure("indifferent").unwrap();
    assert_eq!((told.games, told.mean.value), (20, 0.3));
}

/// Whoever is a step higher wins three games of four: two such steps are a depth of two, and bots that win as much as each other add nothing.
#[test]
fn a_game_is_as_deep_as_there_are_steps_in_it() {
    let rung = |share: f64| Rung {
        pairing: Pairing {
            weaker: Bot::Random,
            stronger: Bot::Policy,
            players: 2,
            games: 100,
            seed: 1,
            jobs: 1,
        },
        games: 100,
        share: Estimate::exactly(share),
        fair: 0.5,
        apart: None,
        seconds: [0.0; 2],
        lines: [None; 2],
    };
    let two = ladder::depth(&[rung(0.75), rung(0.75)]);
    assert!((two.elo.value - 2.0).abs() < 1e-9 && !two.at_least);
    assert!(ladder::depth(&[rung(0.5)]).elo.value.abs() < 1e-9);
    // Errors of two rungs are not added but their squares; a rung that was never lost has no upper end.
    let unsure = |share: f64| Rung {
        share: Estimate {
            value: share,
            low: share - 0.1,
            high: (share + 0.1).min(1.0),
        },
        ..rung(share)
    };
    let apart = |rungs: &[Rung]| {
        let elo = ladder::depth(rungs).elo;
        (elo.value - elo.low, elo.high - elo.value)
    };
    let (one, both) = (apart(&[unsure(0.5)]), apart(&[unsure(0.5), unsure(0.5)]));
    assert!((both.0 / one.0 - 2f64.sqrt()).abs() < 1e-9 && (both.0 - both.1).abs() < 1e-9);
    assert!(ladder::depth(&[unsure(0.6), unsure(1.0)]).at_least);
}

/// The sentence on who wins speaks of bots where these differ, and of seats only where bots change them.
#[test]
fn different_bots_are_told_from_seats() {
    let mut keeping = header();
    keeping.rotate = false;
    let said = |header: Header| {
        let all = found((0..40).map(|n| game(n, (n % 2) as u8)));
        let page = report::run(&header, &all, Pictures::Left, Language::En);
        page.unwrap().text()
    };
    let [rotating, keeping] = [said(header()), said(keeping)];
    let bots = "- A seat of each bot wins: strong 100.0 %";
    assert!(
        rotating.contains(bots) && keeping.contains(bots),
        "{keeping}"
    );
    assert!(rotating.contains("- No seat is seen"), "{rotating}");
    let apart = keeping.contains("- Every bot kept its seats") && !keeping.contains("- No seat");
    assert!(apart, "{keeping}");
}

/// The strong one always wins: all is skill. Seat 0 always wins: all is the seat. Neither: all is luck.
#[test]
fn what_skill_seat_and_luck_are_worth() {
    let parts = |winner: fn(u64) -> u8| {
        let worth = found((0..400).map(|n| game(n, winner(n)))).worth.unwrap();
        [worth.skill, worth.seat, worth.luck].map(|part| (part.value * 100.0).round())
    };
    assert_eq!(parts(|n| (n % 2) as u8), [100.0, 0.0, 0.0]);
    assert_eq!(parts(|_| 0), [0.0, 100.0, 0.0]);
    assert_eq!(parts(|n| (n / 2 % 2) as u8), [0.0, 0.0, 100.0]);
}

/// Where everybody keeps a seat, skill and seat are one.
#[test]
fn bots_that_keep_their_seats_are_not_told_from_them() {
    let mut summary = Summary::new(Header {
        rotate: false,
        ..header()
    });
    (0..400).for_each(|n| summary.add(&game(2 * n, 0)));
    assert_eq!(summary.findings().worth, None);
}

/// The leader of the first quarter wins and can afford the crown: at equal position the crown is worth nothing, though its owners win. The
/// sword decides by itself.
#[test]
fn impact_is_told_at_equal_position() {
    let mut number = 0;
    let mut of_game = |leader: u8, crown: bool, sword: Option<u8>| {
        number += 1;
        let winner = sword.unwrap_or(leader);
        let used = |item: u32, seat: u8| Use {
            item,
            seat,
            count: Count {
                offered: 1,
                taken: 1,
                played: 1,
            },
        };
        let values = (0..2).map(|seat| Some(i64::from(seat == leader))).collect();
        let uses = [
            crown.then(|| used(1, leader)),
            sword.map(|seat| used(0, seat)),
        ];
        Record {
            close: Some(Close {
                values: vec![values; 15],
                uses: uses.into_iter().flatten().collect(),
                ..Close::default()
            }),
            ..game(number, winner)
        }
    };
    let mut games = Vec::new();
    for n in 0..200u32 {
        let leader = (n % 2) as u8;
        games.push(of_game(leader, n % 3 == 0, None));
        games.push(of_game(leader, n % 3 == 0, Some((n / 2 % 2) as u8)));
    }
    let found = found(games.into_iter());
    let item = |id: &str| found.content.iter().find(|item| item.id == id).unwrap();
    let raw = |id: &str| item(id).wins_with.unwrap().value - item(id).wins_without.unwrap().value;
    assert!(raw("crown") > 0.15, "{}", raw("crown"));
    assert!(
        item("crown").impact.unwrap().holds(0.0),
        "{:?}",
        item("crown").impact
    );
    assert!(
        item("sword").impact.unwrap().low > 0.3,
        "{:?}",
        item("sword").impact
    );
}

/// Of what is taken by some and played by others those who play it are looked at, in its wins as in its impact: whoever takes the crown loses,
/// whoever brings it into play wins.
#[test]
fn impact_is_told_of_those_who_play() {
    let used = |seat: u8, taken: u32, played: u32| Use {
        item: 1,
        seat,
        count: Count {
            offered: 1,
            taken,
            played,
        },
    };
    let games = |plays: bool| {
        (0..200u64).map(move |n| {
            let winner = (n / 2 % 2) as u8;
            let uses = match plays {
                true => vec![used(1 - winner, 1, 0), used(winner, 0, 1)],
                false => vec![used(1 - winner, 1, 0)],
            };
            Record {
                close: Some(Close {
                    uses,
                    ..Close::default()
                }),
                ..game(n, winner)
            }
        })
    };
    let crown = |plays: bool| {
        let all = found(games(plays));
        all.content
            .into_iter()
            .find(|item| item.id == "crown")
            .unwrap()
    };
    let played = crown(true);
    assert_eq!(played.wins_with.unwrap().value, 1.0);
    assert!(played.impact.unwrap().value > 0.99, "{:?}", played.impact);
    assert_eq!(played.use_share.value, 0.5);
    let taken = crown(false);
    assert_eq!(taken.wins_with.unwrap().value, 0.0);
    assert!(taken.impact.unwrap().value < -0.99, "{:?}", taken.impact);
}

/// What never happened may yet happen: of a bot that won all games of sixty it is not certain that skill is all.
#[test]
fn what_never_varied_is_not_certain() {
    let all = found((0..60).map(|n| game(n, (n % 2) as u8)));
    let worth = all.worth.unwrap();
    assert_eq!(worth.skill.value, 1.0);
    // A bot that wins 24 of 25 games wins sixty in a row now and then.
    let truth = 0.46 * 0.46 / 0.25;
    assert!(
        worth.skill.holds(truth) && !worth.skill.holds(0.5),
        "{worth:?}"
    );
    assert!(
        worth.seat.low == 0.0 && (0.001..0.1).contains(&worth.seat.high),
        "{worth:?}"
    );
    assert!(
        worth.luck.holds(1.0 - truth) && !worth.luck.holds(0.5),
        "{worth:?}"
    );
    // Where bots win as much as each other, and seats too, chance may hide a little of both.
    let even = found((0..60).map(|n| game(n, (n / 2 % 2) as u8)));
    let worth = even.worth.unwrap();
    for part in [worth.skill, worth.seat] {
        assert!(
            part.low == 0.0 && (0.01..0.2).contains(&part.high),
            "{worth:?}"
        );
    }
}

/// How much whoever begins wins has one interval, however it is put.
#[test]
fn whoever_begins_has_one_interval() {
    let all = found((0..60).map(|n| Record {
        first: (n % 2) as u8,
        ..game(n, (n % 3 % 2) as u8)
    }));
    let advantage = all.first_player_advantage.unwrap();
    let wins = all.measure("first_wins").unwrap().mean;
    for (one, other) in [(wins.low, advantage.low), (wins.high, advantage.high)] {
        assert!((one - 0.5 - other).abs() < 1e-9, "{wins:?} {advantage:?}");
    }
    assert_eq!(all.measure("wins_p0").unwrap().mean, all.wins[0]);
}

/// How long each seat waits, and the longest wait with its game.
#[test]
fn seats_wait_unevenly() {
    let wait = |choices: u32, times: u32, longest: u32| Wait {
        choices,
        times,
        longest,
    };
    let all = found((0..40).map(|n| Record {
        close: Some(Close {
            waits: vec![
                wait(6, 3, if n == 7 { 9 } else { 3 }),
                wait(10 + (n % 2) as u32 * 10, 5, 4),
            ],
            ..Close::default()
        }),
        ..game(n, 0)
    }));
    let means: Vec<f64> = all.waits.iter().map(|wait| wait.choices.value).collect();
    assert_eq!(means, [2.0, 3.0]);
    assert!(all.waits[1].choices.holds(3.0) && !all.waits[1].choices.holds(2.0));
    let longest = all.waits[0].longest.unwrap();
    assert_eq!((longest.value, longest.game), (9.0, 7));
    let page = report::run(&header(), &all, Pictures::Left, Language::En).unwrap();
    let text = page.text();
    assert!(
        text.contains("Longest (game)") && text.contains("9 (7)"),
        "{text}"
    );
    // Without a close look nothing is known of it.
    assert!(found((0..4).map(|n| game(n, 0))).waits.is_empty());
}

/// Sixty games with thousands of offers tell that something is never taken, and what was taken now and then is not said never to be.
#[test]
fn what_is_hardly_ever_taken_is_counted() {
    let games = (0..60).map(|n| {
        let used = |item: u32, taken: u32| Use {
            item,
            seat: 0,
            count: Count {
                offered: 100,
                taken,
                played: 0,
            },
        };
        Record {
            close: Some(Close {
                uses: vec![used(0, 0), used(1, (n % 4 == 0) as u32), used(2, 10)],
                ..Close::default()
            }),
            ..game(n, (n / 2 % 2) as u8)
        }
    });
    let all = found(games);
    let told: Vec<_> = all
        .dominated
        .iter()
        .map(|item| (item.id.as_str(), item.taken, item.offered))
        .collect();
    assert_eq!(told, [("sword", 0, 6000), ("crown", 15, 6000)]);
    let page = report::run(&header(), &all, Pictures::Left, Language::En).unwrap();
    let said = "Taken in fewer than one of twenty offers: sword (0 of 6000), crown (15 of 6000)";
    assert!(page.text().contains(said), "{}", page.text());
}

/// The first sentences name what does most, and not how much nobody used.
#[test]
fn the_largest_impact_is_said() {
    let games = |wins: u64| {
        (0..200u64).map(move |n| {
            let owner = (n % 2) as u8;
            let used = Use {
                item: 0,
                seat: owner,
                count: Count {
                    offered: 1,
                    taken: 1,
                    played: 1,
                },
            };
            let winner = if n % 20 / 2 < wins { owner } else { 1 - owner };
            Record {
                close: Some(Close {
                    uses: vec![used],
                    ..Close::default()
                }),
                ..game(n, winner)
            }
        })
    };
    let said = |wins: u64| {
        let page = report::run(&header(), &found(games(wins)), Pictures::Left, Language::En);
        page.unwrap().text()
    };
    let much = said(9);
    assert!(
        much.contains("- What goes most with winning, which is not to say that it brings it about (`compare --take` tells that): sword +"),
        "{much}"
    );
    let little = said(5);
    let none =
        "- Nothing that is used (1 looked at) is seen to go with winning; what does most: sword";
    assert!(little.contains(none), "{little}");
    assert!(
        much.contains("Never used (card), 2: crown, stick"),
        "{much}"
    );
    assert!(!much.contains("used by nobody"), "{much}");
}

/// What is always taken, what never, what comes and goes, and where it is fought.
#[test]
fn what_becomes_of_content_numbers_and_spaces() {
    let used = |item: u32, offered: u32, taken: u32| Use {
        item,
        seat: 0,
        count: Count {
            offered,
            taken,
            played: taken,
        },
    };
    let games = (0..80).map(|n| Record {
        close: Some(Close {
            uses: vec![used(0, 10, 10), used(1, 10, 5), used(2, 10, 0)],
            flows: vec![Turnover {
                step: "build".into(),
                attribute: "player.wood".into(),
                gained: 2,
                lost: 6,
            }],
            spaces: vec![SpaceUse {
                space: 0,
                held: 500,
                fought: 3,
            }],
            ..Close::default()
        }),
        ..game(n, 0)
    });
    let found = found(games);
    let named: Vec<(&str, bool)> = found
        .dominated
        .iter()
        .map(|item| (item.id.as_str(), item.always))
        .collect();
    assert_eq!(named, [("sword", true), ("stick", false)]);
    let flow = &found.flows[0];
    assert_eq!(
        (flow.number.as_str(), flow.gained.value, flow.lost.value),
        ("player.wood", 2.0, 6.0)
    );
    assert_eq!((found.spaces[0].held, found.spaces[0].fought), (0.5, 3.0));
}

/// Games of three in which who wins is drawn by the chances that go with what is said of each, by a scale of 40; games with such a number are
/// as far from decided, or as open to a third, as those chances say.
fn by_scale(number: u64, apart: i64) -> Record {
    let mut luck = Luck(number * 2 + 1);
    let values: Vec<i64> = (0..3).map(|_| luck.below(apart as u64) as i64).collect();
    let values_at = values.iter().map(|&v| Some(v)).collect::<Vec<_>>();
    let chances = ludoteca_lab::drama::chances(&values_at, 40.0);
    let mut left = luck.below(1_000_000) as f64 / 1e6;
    let drawn = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    let winner = drawn.unwrap_or(2) as u8;
    Record {
        game: number,
        bots: vec!["greedy".into(); 3],
        winners: vec![winner],
        places: (0..3).map(|seat| 1 + u32::from(seat != winner)).collect(),
        scores: vec![0; 3],
        decisions: 10,
        close: Some(Close {
            values: vec![values_at; 15],
            ..Close::default()
        }),
        ..Record::default()
    }
}

/// Numbers that hang on nothing but where they begin.
struct Luck(u64);

impl Luck {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) % bound
    }
}

fn of_three() -> Header {
    Header {
        players: 3,
        bots: vec!["greedy".into(); 3],
        items: Vec::new(),
        ..header()
    }
}

#[test]
fn chances_that_nobody_has_measured_are_found_in_the_games_themselves() {
    let mean = |found: &Findings, name: &str| {
        let finding = found.measure(name).filter(|finding| finding.games > 0);
        finding.map(|finding| (finding.games, finding.mean.value))
    };
    let found = |header: Header, games: u64| {
        let mut summary = Summary::new(header);
        (0..games).for_each(|n| summary.add(&by_scale(n, 200)));
        summary.findings()
    };
    let measured = Header {
        scale: Some(40),
        ..of_three()
    };
    let known = found(measured, 3_000);
    for (games, scales, off) in [(80, 20..=80, 0.2), (3_000, 34..=47, 0.06)] {
        let told = found(of_three(), games);
        let scale = told.scale.expect("a scale").scale;
        assert!(scales.contains(&scale), "{scale} in {games} games");
        // All games count, those before the scale was known too.
        for name in ["decisiveness", "kingmaking"] {
            let (counted, value) = mean(&told, name).expect(name);
            let (_, true_value) = mean(&known, name).expect(name);
            assert_eq!(counted, games, "{name}");
            assert!(
                (value - true_value).abs() < off,
                "{name}: {value}, {true_value}"
            );
        }
        assert_eq!(told.course.len(), 15);
    }
    // Too few games tell none, and what was measured is not found anew.
    let few = found(of_three(), 50);
    assert!(few.scale.is_none() && mean(&few, "decisiveness").is_none());
    assert!(known.scale.is_none());
}

#[test]
fn both_sides_of_a_comparison_have_their_chances_by_one_scale() {
    // In the second, what is said lies closer together: less is decided. One header has a scale, which the other game has not.
    let measured = Header {
        scale: Some(7),
        ..of_three()
    };
    let mut comparison = Comparison::new([measured, of_three()], None);
    for n in 0..300 {
        comparison.add(&[by_scale(n, 200), by_scale(n, 50)]);
    }
    let differences = comparison.differences(0.05);
    let decided = differences.iter().find(|d| d.name == "decisiveness");
    let decided = decided.expect("it is compared");
    assert!(
        decided.seen && decided.difference.value < -0.2,
        "{decided:?}"
    );
    assert_eq!(decided.pairs, 300);
    let [first, second] = comparison.findings().map(|found| found.scale);
    assert!(first.is_some() && first == second);
}
