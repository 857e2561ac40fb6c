//! Bots with partners, and where all win or lose together: a side has one chance between its seats.

use ludoteca::{Bot, Game, Match, Selection, Session, Sitter, Status};
use ludoteca_lab::ladder::{self, Pairing, Rung, RungVerdict};
use ludoteca_tests::{PICK, small};
use std::sync::Arc;

/// Whoever is asked first decides for both pairs: heads for its own, tails for the other.
fn pairs() -> Arc<Game> {
    small(
        r#"players = [4, 4]
round_limit = 1
[sides.of]
ours = { text = { es = "Nuestros", en = "Ours" }, seats = [0, 1] }
theirs = { text = { es = "Suyos", en = "Theirs" }, seats = [2, 3] }
[[phases]]
step = "turn"
each = "player"
"#,
        r#"fn turn(p) {
            let own = if p.seat < 2 { "ours" } else { "theirs" };
            let other = if p.seat < 2 { "theirs" } else { "ours" };
            let won = choose(p, "pick", ["heads", "tails"]) == "heads";
            end_game("done", players_of(if won { own } else { other }));
        }"#,
        PICK,
    )
}

/// All three fill one jar, and win if eight of nine come together.
fn jar(ahead: u32) -> Arc<Game> {
    let manifest = r#"players = [3, 3]
round_limit = 1
[sides.of]
all = { text = { es = "Todos", en = "All" }, seats = "all" }
[attributes.game]
jar = { type = "int", min = 0 }
[[phases]]
step = "turn"
each = "player"
[[phases]]
step = "close"
[bots]
"#;
    small(
        &format!("{manifest}ahead = {ahead}\n"),
        r#"fn turn(p) { game.jar += choose_amount(p, "pick", 0, 3); }
        fn close() {
            if game.jar >= 8 { end_game("done", players()); } else { end_game("done", []); }
        }
        fn evaluate(p) { game.jar }"#,
        PICK,
    )
}

/// What the first seat is told: how good each option is, by its number, and which numbers come first.
fn told(game: Arc<Game>) -> (Vec<f64>, Vec<u32>) {
    let sitter = |seat: u8| Sitter {
        name: format!("p{seat}"),
        chooser: None,
    };
    let sitters = (0..game.definition.players.0).map(sitter).collect();
    let mut session = Session::new(game, sitters, 3, &Selection::default());
    session.go_on().unwrap();
    let mut hint = session.hint(0).unwrap();
    hint.think(200, |_| true);
    let answers = hint.opinion(usize::MAX).answers;
    let order: Vec<u32> = answers.iter().map(|judged| judged.picked[0]).collect();
    let mut chances = vec![0.0; answers.len()];
    for judged in &answers {
        chances[judged.picked[0] as usize] = judged.chance;
    }
    (chances, order)
}

#[test]
fn a_partner_has_the_whole_chance_of_its_side() {
    assert_eq!(told(pairs()).0, [1.0, 0.0]);
}

/// The first must put two or three, and the others nearly all they can.
#[test]
fn who_wins_and_loses_together_wins_and_loses_wholly() {
    let (chances, order) = told(jar(4));
    assert_eq!(chances[..2], [0.0, 0.0]);
    assert_eq!(order[0], 3, "{chances:?}");
    assert!(0.0 < chances[3] && chances[3] <= 1.0, "{chances:?}");
}

/// Nobody plays against anybody: what is not over yet is worth what it is among all that was seen.
#[test]
fn what_is_not_over_is_judged_by_what_was_seen() {
    let (chances, order) = told(jar(1));
    assert_eq!(order, [3, 2, 1, 0], "{chances:?}");
    assert!(
        chances.iter().all(|chance| (0.09..0.91).contains(chance)),
        "{chances:?}"
    );
}

/// One player who collects points wins nothing by name; the most points are the best end.
#[test]
fn who_plays_alone_plays_for_points() {
    let alone = small(
        "players = [1, 1]\nround_limit = 5\n[attributes.player]\npoints = { type = \"int\", min = 0 }\n[[phases]]\nstep = \"turn\"\neach = \"player\"\n",
        r#"fn turn(p) { if choose(p, "pick", ["tails", "heads"]) == "heads" { p.points += 1; } }
        fn score(p) { p.points }"#,
        PICK,
    );
    let points: i64 = (0..10)
        .map(|seed| {
            let mut played = Match::new(alone.clone(), 1, seed);
            let mut search = Bot::search(200).driver(0, seed);
            while played.advance().unwrap() == Status::Asking {
                let picked = search.pick(&played).unwrap();
                played.answer(0, &picked).unwrap();
            }
            played.ranking().unwrap()[0].score[0]
        })
        .sum();
    assert!(points >= 48, "{points} of 50");
}

/// One against two: as good for the one as for each of the two is as good.
#[test]
fn sides_compare_by_their_seats() {
    let uneven = small(
        r#"players = [3, 3]
round_limit = 1
[sides.of]
lone = { text = { es = "Sola", en = "Lone" }, seats = [0] }
pair = { text = { es = "Par", en = "Pair" }, seats = "rest" }
[[phases]]
step = "turn"
"#,
        "fn turn() { choose(players()[0], \"pick\", [\"heads\", \"tails\"]); }\nfn evaluate(p) { 9 + p.seat % 2 }\nfn score(p) { p.seat }",
        PICK,
    );
    let mut played = Match::new(uneven, 3, 1);
    played.advance().unwrap();
    let values = [0, 1, 2].map(|seat| played.evaluate(seat).unwrap());
    assert_eq!(values, [18, 19, 19]);
}

fn climbed(game: &Arc<Game>, stronger: Bot) -> Rung {
    let pairing = Pairing {
        weaker: Bot::Random,
        stronger,
        players: game.definition.players.0,
        games: 40,
        seed: 1,
        jobs: 0,
    };
    ladder::play(game, &pairing, &Default::default(), |_| {})
        .unwrap()
        .0
}

/// Partners are of one tier: a pair that knows what it does wins whenever it decides, and every second time else.
#[test]
fn a_ladder_sets_sides_against_each_other() {
    let rung = climbed(&pairs(), Bot::search(20));
    assert_eq!((rung.fair, rung.apart), (0.5, None));
    assert!((0.6..0.9).contains(&rung.share.value), "{rung:?}");
    assert_eq!(rung.verdict(), RungVerdict::Stronger);
}

/// Where all are on one side each tier has tables of its own.
#[test]
fn a_ladder_holds_tables_against_each_other_where_all_are_one_side() {
    let rung = climbed(&jar(4), Bot::Greedy);
    let [random, greedy] = rung.apart.unwrap();
    assert_eq!(greedy, 1.0);
    assert!(random < 0.5, "{rung:?}");
    assert_eq!((rung.games, rung.fair), (40, 0.5));
    assert_eq!(rung.share.value, 0.5 + (greedy - random) / 2.0);
    assert_eq!(rung.verdict(), RungVerdict::Stronger);
}
