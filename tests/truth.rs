//! Games whose truth is known: what `search` answers there is held against it.

use ludoteca::hint::Judged;
use ludoteca::{
    Bot, Folder, Game, Library, Match, PackSource, Position, Selection, Session, Sitter, Status,
};
use ludoteca_tests::{PICK, game, root, small, small_with};
use std::sync::Arc;

/// In matching pennies only an even mix cannot be exploited. Over 400 games a share within 4.4 deviations of it leaves a rival who knows
/// the share at most 61 wins of 100.
#[test]
fn search_is_not_predictable_where_all_choose_at_once() {
    let pennies = small(
        "round_limit = 1\n[attributes.player]\npoints = { type = \"int\", min = 0 }\n[[phases]]\nstep = \"turn\"\n",
        r#"fn turn() {
            let shown = choose_together(players(), "pick", ["heads", "tails"]);
            let winner = players()[if shown[0] == shown[1] { 1 } else { 0 }];
            winner.points += 1;
        }
        fn score(p) { p.points }"#,
        PICK,
    );
    for seat in [0, 1] {
        let heads = (0..400)
            .filter(|&seed| {
                let mut played = Match::new(pennies.clone(), 2, seed);
                played.advance().unwrap();
                Bot::search(60).driver(seat, seed).pick(&played).unwrap() == [0]
            })
            .count();
        assert!(
            (156..=244).contains(&heads),
            "seat {seat}: {heads} heads of 400"
        );
    }
}

const CARDS: [&str; 3] = ["jack", "queen", "king"];

/// Kuhn's poker, hand after hand: three cards, one each, a chip in the pot; one bet of a chip, taken or not.
fn kuhn() -> Arc<Game> {
    let card = |(id, rank): (&str, u32)| {
        format!("[cards.{id}]\nname = {{ es = \"{id}\", en = \"{id}\" }}\nrank = {rank}\n")
    };
    let cards: String = (CARDS.into_iter().zip(1..)).map(card).collect();
    small_with(
        r#"round_limit = 30
[attributes.player]
chips = { type = "int", min = -1000 }
[zones]
deck = { visible = "nobody" }
hand = { of = "player", visible = "owner" }
[kinds.card]
fields = { rank = "int" }
[[phases]]
step = "hand"
[bots]
judge_at = "round"
scale = 8
"#,
        r#"fn setup() { fill(game.deck, "card"); }
        fn hand() {
            for p in players() { move_all(p.hand, game.deck); }
            shuffle(game.deck);
            for p in players() { draw(game.deck, p.hand); }
            let first = players()[0];
            let second = players()[1];
            if bets(first) {
                if bets(second) { show(2); } else { win(first, 1); }
            } else if bets(second) {
                if bets(first) { show(2); } else { win(second, 1); }
            } else {
                show(1);
            }
        }
        fn bets(p) { choose(p, "pick", ["pass", "bet"]) == "bet" }
        fn show(chips) {
            let first = players()[0];
            win(if first.hand.top.rank > first.left.hand.top.rank { first } else { first.left }, chips);
        }
        fn win(p, chips) {
            p.chips += chips;
            p.left.chips -= chips;
        }
        fn evaluate(p) { p.chips }
        fn score(p) { p.chips }"#,
        "[prompt]\npick = { es = \"¿Apuestas?\", en = \"Do you bet?\" }\n[option]\npass = { es = \"paso\", en = \"pass\" }\nbet = { es = \"apuesto\", en = \"bet\" }\n",
        &[(
            "cards/small/cards.toml",
            &format!("kind = \"card\"\n{cards}"),
        )],
    )
}

/// What a rival may win of `search:100` at Kuhn's poker in chips a hand; of a coin it is 0.458, in equilibrium nothing.
const EXPLOITABLE: f64 = 0.35;

/// How often a bot bets, by its card and by whether the other has bet; the first player is asked again after pass and bet.
type Mix = [[f64; 2]; 3];

/// What the first player wins on average in chips, against all deals.
fn worth(first: &Mix, second: &Mix) -> f64 {
    let mut total = 0.0;
    for (mine, [bets, calls]) in first.iter().enumerate() {
        for theirs in (0..3).filter(|&card| card != mine) {
            let sign = if mine > theirs { 1.0 } else { -1.0 };
            let (bets_back, calls_back) = (second[theirs][0], second[theirs][1]);
            let after_bet = calls_back * 2.0 * sign + (1.0 - calls_back);
            let after_raise = calls * 2.0 * sign - (1.0 - calls);
            let after_pass = bets_back * after_raise + (1.0 - bets_back) * sign;
            total += bets * after_bet + (1.0 - bets) * after_pass;
        }
    }
    total / 6.0
}

/// Every way to play without mixing.
fn pure() -> impl Iterator<Item = Mix> {
    (0..64_u32).map(|bits| {
        let bit = |n: usize| f64::from(bits >> n & 1);
        [0, 1, 2].map(|card| [bit(2 * card), bit(2 * card + 1)])
    })
}

/// What a rival who knows how a bot plays wins of it in chips a hand, over what the game gives, on average of both seats.
fn exploitability(first: &Mix, second: &Mix) -> f64 {
    let against_first = pure()
        .map(|rival| -worth(first, &rival))
        .fold(f64::MIN, f64::max);
    let against_second = pure()
        .map(|rival| worth(&rival, second))
        .fold(f64::MIN, f64::max);
    (against_first + against_second) / 2.0
}

/// The card a seat holds, from the lowest.
fn card_of(played: &Match, seat: u8) -> usize {
    let table = &played.table;
    let definition = &table.game.definition;
    let is_hand = |&(zone, owner): &(u16, u32)| {
        definition.zones[zone as usize].name == "hand" && owner == u32::from(seat)
    };
    let hand = table.layout.zones.iter().position(is_hand).unwrap();
    let piece = table.state.zones[hand][0];
    let card = table.state.pieces[piece as usize].card;
    let id = &definition.cards[card as usize].id;
    CARDS.iter().position(|known| known == id).unwrap()
}

/// How a bot plays Kuhn's poker in both seats, by asking it in the first hand of so many matches.
fn plays_kuhn(bot: Bot, matches: u64) -> [Mix; 2] {
    let game = kuhn();
    let mut bets = [[[0.0; 2]; 3]; 2];
    let mut asked = [[[0.0; 2]; 3]; 2];
    for seed in 0..matches {
        // What was answered before, and who is asked then: at first, after a pass, after a bet, after pass and bet.
        let moments: [(&[u32], u8, usize); 4] =
            [(&[], 0, 0), (&[0], 1, 0), (&[1], 1, 1), (&[0, 1], 0, 1)];
        for (before, seat, node) in moments {
            let mut played = Match::new(game.clone(), 2, seed);
            for (n, &answer) in before.iter().enumerate() {
                played.advance().unwrap();
                played.answer(n as u8 % 2, &[answer]).unwrap();
            }
            played.advance().unwrap();
            let card = card_of(&played, seat);
            let picked = bot.driver(seat, seed).pick(&played).unwrap();
            asked[seat as usize][card][node] += 1.0;
            bets[seat as usize][card][node] += f64::from(picked[0]);
        }
    }
    for seat in 0..2 {
        for card in 0..3 {
            for node in 0..2 {
                bets[seat][card][node] /= asked[seat][card][node];
            }
        }
    }
    bets
}

#[test]
fn exploitability_is_nothing_in_equilibrium() {
    let third = 1.0 / 3.0;
    let first = [[0.0, 0.0], [0.0, third], [0.0, 1.0]];
    let second = [[third, 0.0], [0.0, third], [1.0, 1.0]];
    assert!((worth(&first, &second) + 1.0 / 18.0).abs() < 1e-9);
    assert!(exploitability(&first, &second).abs() < 1e-9);
    let even = [[0.5; 2]; 3];
    assert!((exploitability(&even, &even) - 11.0 / 24.0).abs() < 1e-9);
}

/// A search that believes rivals to see its cards neither bluffs nor fears a bluff (docs/bots.md says so); it knows a good card from a bad one.
#[test]
fn search_is_better_than_a_coin_at_poker() {
    let [first, second] = plays_kuhn(Bot::search(100), 90);
    let found = exploitability(&first, &second);
    assert!(found < EXPLOITABLE, "{found}: {first:?} {second:?}");
}

fn classic(id: &str) -> Arc<Game> {
    let shelf = PackSource::new("classics", Folder::new(root().join("examples/classics")));
    game(&Library::open(&[shelf]).0, id, &Selection::default())
}

/// The only winner, if there is one.
fn winner(played: &mut Match) -> Option<u8> {
    let ranking = played.ranking().unwrap();
    let mut first = ranking.iter().filter(|place| place.place == 1);
    let winner = first.next().map(|place| place.seat);
    winner.filter(|_| first.next().is_none())
}

/// Who is asked, and how many options there are.
fn asked(played: &Match) -> (u8, u32) {
    let choice = played.choice().unwrap();
    let seat = choice.waiting().unwrap();
    (seat, choice.count(&played.table, seat))
}

/// Lets a bot play a seat against everything the other may do; says how many games it lost, and of how many.
fn against_everything(bot: Bot, seat: u8, played: &mut Match) -> (u32, u32) {
    if played.advance().unwrap() == Status::Over {
        return (u32::from(winner(played) == Some(1 - seat)), 1);
    }
    let (waiting, count) = asked(played);
    if waiting == seat {
        let picked = bot.driver(seat, 1).pick(played).unwrap();
        played.answer(seat, &picked).unwrap();
        return against_everything(bot, seat, played);
    }
    let here = played.position();
    (0..count).fold((0, 0), |(lost, games), n| {
        played.restore(&here);
        played.answer(waiting, &[n]).unwrap();
        let (more_lost, more_games) = against_everything(bot, seat, played);
        (lost + more_lost, games + more_games)
    })
}

/// In the second turn an edge loses to the centre, and a corner does not; after an edge the centre wins. A hint knows what is proven.
#[test]
fn a_hint_knows_what_is_won_and_lost_for_certain() {
    let person = || Sitter {
        name: "human".into(),
        chooser: None,
    };
    let persons = vec![person(), person()];
    let game = classic("tic-tac-toe");
    let mut session = Session::new(game, persons, 1, &Selection::default());
    for (seat, square) in [(0, "b2"), (1, "c2")] {
        session.go_on().unwrap();
        if seat == 1 {
            let lost: Vec<String> = told(&session, seat)
                .into_iter()
                .filter(|judged| judged.certain && judged.chance == 0.0)
                .map(|judged| judged.keys[0].clone())
                .collect();
            let mut lost: Vec<&str> = lost.iter().map(String::as_str).collect();
            lost.sort_unstable();
            assert_eq!(lost, ["a2", "b1", "b3", "c2"]);
        }
        session.answer_keys(seat, &[square.to_string()]).unwrap();
    }
    session.go_on().unwrap();
    let best = told(&session, 0).swap_remove(0);
    assert!(best.certain && best.chance == 1.0, "{best:?}");
}

/// What a hint says of each answer, the best first; what is lost comes last.
fn told(session: &Session, seat: u8) -> Vec<Judged> {
    let mut hint = session.hint(seat).unwrap();
    hint.think(1000, |_| true);
    let answers = hint.opinion(usize::MAX).answers;
    assert!(answers.is_sorted_by(|a, b| a.chance >= b.chance));
    answers
}

fn never_loses_tic_tac_toe(seat: u8) {
    let mut played = Match::new(classic("tic-tac-toe"), 2, 1);
    let (lost, games) = against_everything(Bot::search(1000), seat, &mut played);
    assert!(games > 30, "{games} games");
    assert_eq!(lost, 0, "of {games}");
}

#[test]
fn search_never_loses_tic_tac_toe_from_the_first_seat() {
    never_loses_tic_tac_toe(0);
}

#[test]
fn search_never_loses_tic_tac_toe_from_the_second_seat() {
    never_loses_tic_tac_toe(1);
}

/// What a position is worth to the first player if both play perfectly: 1, 0 or -1.
fn solved(played: &mut Match, mut low: i32, mut high: i32) -> i32 {
    if played.advance().unwrap() == Status::Over {
        return match winner(played) {
            Some(0) => 1,
            Some(_) => -1,
            None => 0,
        };
    }
    let (seat, count) = asked(played);
    let here = played.position();
    let mut best = if seat == 0 { -1 } else { 1 };
    for n in 0..count {
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

/// A position in which so many squares are free and nobody has won, by moves that seem random.
fn unfinished(game: &Arc<Game>, seed: u64, free: u32) -> Option<Match> {
    let mut played = Match::new(game.clone(), 2, seed);
    for _ in free..42 {
        if played.advance().unwrap() == Status::Over {
            return None;
        }
        let (seat, _) = asked(&played);
        let picked = Bot::Random.driver(seat, seed).pick(&played).unwrap();
        played.answer(seat, &picked).unwrap();
    }
    (played.advance().unwrap() == Status::Asking).then_some(played)
}

/// Every answer of a search from there on keeps what the position is worth.
fn plays_perfectly(mut played: Match, seed: u64) {
    let mut worth = solved_at(&mut played);
    while played.advance().unwrap() == Status::Asking {
        let (seat, _) = asked(&played);
        let picked = Bot::search(1000).driver(seat, seed).pick(&played).unwrap();
        played.answer(seat, &picked).unwrap();
        let now = solved_at(&mut played);
        assert_eq!(now, worth, "seed {seed}, seat {seat} answers {picked:?}");
        worth = now;
    }
}

fn solved_at(played: &mut Match) -> i32 {
    let here: Position = played.position();
    let worth = solved(played, -1, 1);
    played.restore(&here);
    worth
}

#[test]
fn search_ends_a_hundred_games_of_four_in_a_row_perfectly() {
    let game = classic("four-in-a-row");
    let found = (0..).filter_map(|seed| Some((unfinished(&game, seed, 12)?, seed)));
    for (played, seed) in found.take(100) {
        plays_perfectly(played, seed);
    }
}

/// Whether a seat wins within so many decisions, whatever the other does. Moves to which there is no alternative are no decisions.
fn forces_a_win(played: &mut Match, who: u8, decisions: u32) -> bool {
    if played.advance().unwrap() == Status::Over {
        return winner(played) == Some(who);
    }
    if decisions == 0 {
        return false;
    }
    let here = played.position();
    let (seat, count) = asked(played);
    let mut wins = |n| {
        played.restore(&here);
        played.answer(seat, &[n]).unwrap();
        forces_a_win(played, who, decisions - 1)
    };
    match seat == who {
        true => (0..count).any(&mut wins),
        false => (0..count).all(&mut wins),
    }
}

#[test]
fn search_finds_a_mate_in_two() {
    let chess = classic("chess");
    for fen in [
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
        "6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1",
        "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1",
    ] {
        let mut played = Match::new(chess.clone(), 2, 1);
        assert!(played.read_position(fen).unwrap());
        assert_eq!(played.advance().unwrap(), Status::Asking);
        let (white, _) = asked(&played);
        let picked = Bot::search(1000).driver(white, 1).pick(&played).unwrap();
        played.answer(white, &picked).unwrap();
        assert!(forces_a_win(&mut played, white, 2), "{fen}: {picked:?}");
    }
}
