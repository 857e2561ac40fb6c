//! Measures of runs, held against made-up games whose truth is plain to see.

use ludoteca::{
    Close, SpaceUse, Text, Turnover,
    close_look::{Count, Use},
};
use ludoteca_lab::findings::Findings;
use ludoteca_lab::record::{BoardSpace, ContentItem, FORMAT, Header, Record};
use ludoteca_lab::summary::Summary;

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

/// The strong one always wins: all is skill. Seat 0 always wins: all is the seat. Neither: all is luck.
#[test]
fn what_skill_seat_and_luck_are_worth() {
    let parts = |winner: fn(u64) -> u8| {
        let worth = found((0..400).map(|n| game(n, winner(n)))).worth.unwrap();
        [worth.skill, worth.seat, worth.luck].map(|part| (part * 100.0).round())
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
    let games = (0..20).map(|n| Record {
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
        (flow.number.as_str(), flow.gained, flow.lost),
        ("player.wood", 2.0, 6.0)
    );
    assert_eq!((found.spaces[0].held, found.spaces[0].fought), (0.5, 3.0));
}
