//! Bots from the weakest to the strongest: names, the same answer every time, and that looking ahead pays.

use ludoteca::{Bot, BotError, Game, Match, Position, Selection, Session, Sitter, Status};
use ludoteca_lab::ladder::{self, Pairing};
use ludoteca_lab::simulate::{self, Plan};
use ludoteca_tests::{PICK, game, games, library, small};
use std::sync::Arc;

/// Games each way round, and wins of greedy that a coin reaches in one of 5,000 tries: a bot that does not look ahead does not pass.
const GAMES: u64 = 30;
const WINS: usize = 44;

#[test]
fn greedy_beats_random_at_conquista() {
    let conquista = game(&library(), "conquista", &Selection::default());
    let wins: usize = [
        vec![Bot::Greedy, Bot::Random],
        vec![Bot::Random, Bot::Greedy],
    ]
    .into_iter()
    .map(|bots| {
        let seat = bots.iter().position(|bot| *bot == Bot::Greedy).unwrap_or(0) as u8;
        let plan = Plan::new(2, bots, 500, GAMES);
        let records = simulate::simulate(&conquista, &plan, &Default::default(), |_| {}).unwrap();
        records
            .iter()
            .filter(|record| record.winners == [seat])
            .count()
    })
    .sum();
    assert!(wins >= WINS, "greedy won {wins} of {} games", 2 * GAMES);
}

#[test]
fn names_are_read_as_they_are_written() {
    for name in [
        "random",
        "policy",
        "greedy",
        "rollout:50",
        "search:100",
        "search:100:2",
        "search:2s",
        "search:500ms",
    ] {
        let bot: Bot = name.parse().unwrap();
        assert_eq!(bot.name(), name);
    }
    for (name, says) in [
        (
            "gredy",
            "unknown bot `gredy`; did you mean `greedy`?; the bots are `random`, `policy`, `greedy`, `rollout:100`, `search:100`, `search:100:2`, `search:2s`",
        ),
        (
            "serch:10",
            "unknown bot `serch:10`; did you mean `search:100`?; the bots are `random`, `policy`, `greedy`, `rollout:100`, `search:100`, `search:100:2`, `search:2s`",
        ),
        (
            "search",
            "`search` does not say how much: write `search:100`",
        ),
        (
            "search:many",
            "`search:many` does not say how much: write `search:100`",
        ),
        (
            "search:0",
            "`search:0` does not say how much: write `search:100`",
        ),
        (
            "search:5:0",
            "`search:5:0` does not say how much: write `search:100:2`",
        ),
        (
            "search:s",
            "`search:s` does not say how much: write `search:2s`",
        ),
        (
            "rollout:-3",
            "`rollout:-3` does not say how much: write `rollout:100`",
        ),
        (
            "search:99999999999",
            "`search:99999999999` asks for more than a bot does: at most 10000000 lines",
        ),
        (
            "greedy:5",
            "unknown bot `greedy:5`; did you mean `greedy`?; the bots are `random`, `policy`, `greedy`, `rollout:100`, `search:100`, `search:100:2`, `search:2s`",
        ),
    ] {
        let error: BotError = name.parse::<Bot>().unwrap_err();
        assert_eq!(error.to_string(), says);
    }
}

/// Every bot answers the first questions of every game, and answers them the same way again.
#[test]
fn the_same_match_gets_the_same_answers() {
    let bots = [
        Bot::Policy,
        Bot::Rollout(6),
        Bot::search(6),
        "search:6:2".parse().unwrap(),
    ];
    for game in games() {
        for bot in bots {
            let answers = || {
                let players = game.definition.players.0;
                let mut played = Match::new(game.clone(), players, 9);
                let mut drivers: Vec<_> = (0..players).map(|seat| bot.driver(seat, 9)).collect();
                let mut picked = Vec::new();
                while picked.len() < 12 && played.advance().unwrap() == Status::Asking {
                    let seat = played.choice().and_then(|choice| choice.waiting()).unwrap();
                    picked.push(drivers[seat as usize].pick(&played).unwrap());
                    played.answer(seat, picked.last().unwrap()).unwrap();
                }
                picked
            };
            assert_eq!(answers(), answers(), "{} of {bot}", game.definition.id);
        }
    }
}

/// Greedy goes on with what it meant to do, and a search with what it found under its answer. They think the same if they come to the table
/// in the middle of a step, and if answers were taken back and given anew.
#[test]
fn bots_think_the_same_however_the_match_came_there() {
    for game in games() {
        think_the_same(&game, Bot::Greedy, 60);
        think_the_same(&game, Bot::search(8), 26);
        think_the_same(&game, "search:8:2".parse().unwrap(), 14);
    }
}

fn think_the_same(game: &Arc<Game>, bot: Bot, questions: usize) {
    let id = format!("{} of {bot}", game.definition.id);
    let players = game.definition.players.0;
    let mut played = Match::new(game.clone(), players, 9);
    let mut drivers: Vec<_> = (0..players).map(|seat| bot.driver(seat, 9)).collect();
    let mut former: Option<(Position, u8, Vec<u32>)> = None;
    for question in 0..questions {
        if played.advance().unwrap() == Status::Over {
            break;
        }
        let seat = played.choice().and_then(|choice| choice.waiting()).unwrap();
        let here = played.position();
        let picked = drivers[seat as usize].pick(&played).unwrap();
        if question % 3 == 0 {
            let newcomer = bot.driver(seat, 9).pick(&played).unwrap();
            assert_eq!(newcomer, picked, "{id}, question {question}: a newcomer");
        }
        if question % 4 == 3
            && let Some((position, whose, answer)) = former.take()
        {
            played.restore(&position);
            let again = drivers[whose as usize].pick(&played).unwrap();
            assert_eq!(again, answer, "{id}, question {question}: taken back");
            played.restore(&here);
            let again = drivers[seat as usize].pick(&played).unwrap();
            assert_eq!(again, picked, "{id}, question {question}: asked again");
        }
        played.answer(seat, &picked).unwrap();
        former = Some((here, seat, picked));
    }
}

#[test]
fn a_hint_weighs_answers_and_can_be_gone_on_with() {
    let altered = game(&library(), "altered", &Selection::default());
    let person = || Sitter {
        name: "human".into(),
        chooser: None,
    };
    let mut session = Session::new(altered, vec![person(), person()], 4, &Selection::default());
    session.go_on().unwrap();
    let seat = session.asked()[0];
    let mut hint = session.hint(seat).unwrap();
    assert_eq!(hint.opinion(3).lines, 0);
    assert_eq!(hint.think(30, |_| true), 30);
    assert_eq!(hint.think(30, |_| true), 30);
    assert_eq!(hint.think(30, |_| false), 0, "nobody waits");
    let opinion = hint.opinion(100);
    assert_eq!(opinion.lines, 60);
    let visits: u32 = opinion.answers.iter().map(|judged| judged.visits).sum();
    assert_eq!(visits, 60);
    for judged in &opinion.answers {
        let (low, high) = judged.between;
        assert!(
            0.0 <= low && low <= judged.chance && judged.chance <= high && high <= 1.0,
            "{judged:?}"
        );
        assert_eq!(judged.keys.len(), judged.picked.len());
    }
    let chances: Vec<f64> = opinion.answers.iter().map(|judged| judged.chance).collect();
    assert!(chances.is_sorted_by(|a, b| a >= b), "{chances:?}");
    let other = 1 - seat;
    assert!(session.hint(other).is_none(), "it is asked nothing");
}

/// Chances are shown as such only where they were measured: with so many players, of the game as it is.
#[test]
fn chances_are_calibrated_for_the_players_they_were_measured_with() {
    let alta = game(&library(), "alta-tension", &Selection::default());
    assert!(alta.definition.is_calibrated(2));
    assert!(!alta.definition.is_calibrated(4));
    let short = Selection {
        set: vec![("round_limit".into(), "3".into())],
        ..Selection::default()
    };
    let short = game(&library(), "alta-tension", &short);
    assert!(!short.definition.is_calibrated(2));
    let altered = game(&library(), "altered", &Selection::default());
    assert!(altered.definition.is_calibrated(2), "nobody else can play");
}

fn nim() -> Arc<Game> {
    small(
        "round_limit = 60\n[attributes.game]\nleft = { type = \"int\", start = 10, min = 0 }\n[[phases]]\nstep = \"turn\"\neach = \"player\"\n",
        r#"fn turn(p) {
            if game.left == 0 { return; }
            game.left -= choose_amount(p, "pick", 1, min(3, game.left));
            if game.left == 0 { end_game("done", [p]); }
        }"#,
        PICK,
    )
}

/// Who takes the last of ten, one to three at a time, wins by leaving four or eight. The first player can.
#[test]
fn search_solves_a_small_game() {
    let nim = nim();
    for seed in 0..10 {
        let mut played = Match::new(nim.clone(), 2, seed);
        let mut search = Bot::search(400).driver(0, seed);
        let mut other = Bot::Random.driver(1, seed);
        while played.advance().unwrap() == Status::Asking {
            let seat = played.choice().and_then(|choice| choice.waiting()).unwrap();
            let driver = if seat == 0 { &mut search } else { &mut other };
            let picked = driver.pick(&played).unwrap();
            played.answer(seat, &picked).unwrap();
        }
        assert_eq!(played.ranking().unwrap()[0].seat, 0, "seed {seed}");
    }
}

/// Each seat is the stronger one's equally often, and the stronger one is stronger.
#[test]
fn a_ladder_leads_up() {
    let pairing = Pairing {
        weaker: Bot::Random,
        stronger: Bot::search(100),
        players: 2,
        games: 40,
        seed: 1,
        jobs: 0,
    };
    let (rung, _) = ladder::play(&nim(), &pairing, &Default::default(), |_| {}).unwrap();
    assert_eq!((rung.games, rung.fair), (40, 0.5));
    assert_eq!(rung.verdict(), ladder::RungVerdict::Stronger, "{rung:?}");
    assert!(rung.elo().low > 0.0);
}
