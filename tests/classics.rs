//! The shelf of classics: counts that others have published, scenarios, and games to their end.

use ludoteca::{
    Folder, Game, Library, Luck, Match, PackSource, Selection, Status, Suite, perft::Perft,
    render_all,
};
use ludoteca_tests::{game, root};
use std::sync::Arc;

fn shelf() -> PackSource {
    PackSource::new("classics", Folder::new(root().join("examples/classics")))
}

fn library() -> Library {
    let (library, _) = Library::open(&[shelf()]);
    let problems = library.problems();
    assert!(problems.is_empty(), "{}", render_all(problems, false));
    library
}

fn load(id: &str) -> Arc<Game> {
    game(&library(), id, &Selection::default())
}

fn counts(game: &Arc<Game>, fen: Option<&str>, depth: usize) -> Vec<u64> {
    let mut played = Match::new(game.clone(), game.definition.players.0, 1);
    if let Some(fen) = fen {
        assert!(
            played.read_position(fen).unwrap(),
            "the game reads positions"
        );
    }
    Perft::new(&mut played, depth)
        .count(false)
        .unwrap()
        .by_depth
}

/// Counts that anybody can look up.
#[test]
fn moves_are_counted_exactly() {
    let known: &[(&str, &[u64])] = &[
        ("tic-tac-toe", &[9, 72, 504, 3024, 15120, 54720]),
        ("four-in-a-row", &[7, 49, 343, 2401, 16807]),
        ("reversi", &[4, 12, 56, 244, 1396, 8200]),
        ("draughts", &[7, 49, 302, 1469, 7361, 36768]),
        ("chess", &[20, 400, 8902]),
        ("hex", &[121, 14520]),
        ("go", &[82, 6643]),
        ("oware", &[6, 36]),
    ];
    for (id, expected) in known {
        assert_eq!(counts(&load(id), None, expected.len()), *expected, "{id}");
    }
}

/// Positions made to find mistakes in castling, en passant, promotion and pins.
#[test]
fn hard_chess_positions_are_counted_exactly() {
    let chess = load("chess");
    let known: &[(&str, &[u64])] = &[
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
            &[48, 2039],
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            &[14, 191, 2812, 43238],
        ),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9467],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1486],
        ),
    ];
    for (fen, expected) in known {
        assert_eq!(
            counts(&chess, Some(fen), expected.len()),
            *expected,
            "{fen}"
        );
    }
}

/// 1 if the first player can win from here, -1 if the second can, 0 if neither.
fn solved(played: &mut Match, mut low: i32, mut high: i32) -> i32 {
    if played.advance().unwrap() == Status::Over {
        let ranking = played.ranking().unwrap();
        let won: Vec<u8> = ranking
            .iter()
            .filter(|p| p.place == 1)
            .map(|p| p.seat)
            .collect();
        return match won[..] {
            [0] => 1,
            [1] => -1,
            _ => 0,
        };
    }
    let here = played.position();
    let choice = played.choice().unwrap();
    let seat = choice.waiting().unwrap();
    let mut best = if seat == 0 { -1 } else { 1 };
    for n in 0..choice.count(&played.table, seat) {
        played.restore(&here);
        played.answer(seat, &[n]).unwrap();
        let value = solved(played, low, high);
        if seat == 0 {
            best = best.max(value);
            low = low.max(best);
        } else {
            best = best.min(value);
            high = high.min(best);
        }
        if low >= high {
            break;
        }
    }
    best
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let mut played = Match::new(load("tic-tac-toe"), 2, 1);
    assert_eq!(solved(&mut played, -1, 1), 0);
}

#[test]
fn every_scenario_holds() {
    let library = library();
    let (suite, problems) = Suite::read(&library, &library.scenarios(None));
    assert!(problems.is_empty(), "{}", render_all(&problems, false));
    for game in library.games() {
        assert!(
            suite.games().contains(&game.id.as_str()),
            "{} has no scenarios",
            game.id
        );
    }
    for tried in suite.run(&library) {
        let failures: Vec<&str> = tried.failures.iter().map(|f| f.message.as_str()).collect();
        assert!(failures.is_empty(), "{}: {failures:?}", tried.title.value);
    }
}

#[test]
fn random_games_come_to_an_end() {
    let library = library();
    for info in library.games() {
        let game = game(&library, &info.id, &Selection::default());
        for players in info.players.0..=info.players.1 {
            for seed in 0..3 {
                let mut played = Match::new(game.clone(), players, seed);
                played.verify = true;
                (0..players).for_each(|seat| played.seat_random(seat, Luck::new(seat, seed)));
                let status = played
                    .advance()
                    .unwrap_or_else(|e| panic!("{}: {e}", info.id));
                assert_eq!(status, Status::Over, "{}", info.id);
                let ranking = played.ranking().unwrap();
                assert_eq!(ranking.len(), players as usize, "{}", info.id);
            }
        }
    }
}
