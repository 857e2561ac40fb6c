//! Small games with one secret each, whose truth is known: a bot that wins more than chance has looked, and what is said aloud is heard.

use ludoteca::{
    Bot, Driver, Game, Language, Library, Match, Memory, PackSource, Selection, Status, view,
};
use ludoteca_tests::{PICK, game, library};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// A game for two with points, nine rounds of `turn()`, and whatever a test adds to manifest, rules and texts.
fn small(manifest: &str, rules: &str, texts: &str) -> Arc<Game> {
    let manifest = format!(
        r#"version = "1.0.0"
title = {{ es = "Secretos", en = "Secrets" }}
summary = {{ es = "Uno cada vez.", en = "One at a time." }}
players = [2, 2]
round_limit = 9

[[phases]]
step = "turn"
text = {{ es = "Turno", en = "Turn" }}

[attributes.player]
points = {{ type = "int", min = 0 }}
{manifest}"#
    );
    let mut rules = format!("{rules}\nfn score(p) {{ p.points }}\n");
    if !rules.contains("fn evaluate") {
        rules += "fn evaluate(p) { p.points }\n";
    }
    let texts = format!("[prompt]\nshow = {{ es = \"¿Qué?\", en = \"What?\" }}\n{texts}");
    let cards = r#"kind = "thing"
[cards.a]
name = { es = "a", en = "a" }
worth = 0
[cards.b]
name = { es = "b", en = "b" }
worth = 1
[cards.c]
name = { es = "c", en = "c" }
worth = 2
[cards.d]
name = { es = "d", en = "d" }
worth = 3
"#;
    let mut files = vec![
        ("scripts/small/game.toml", manifest.as_str()),
        ("scripts/small/rules.rhai", rules.as_str()),
        ("cards/small/text.toml", texts.as_str()),
    ];
    if manifest.contains("[kinds.thing]") {
        files.push(("cards/small/things.toml", cards));
    }
    let (library, _) = Library::open(&[PackSource::new("base", Memory::new(files))]);
    game(&library, "small", &Selection::default())
}

const THINGS: &str = r#"
[kinds.thing]
text = { es = "Cosa", en = "Thing" }
fields = { worth = "int" }
"#;

const COIN: &str = "[option]\nheads = { es = \"cara\", en = \"heads\" }\ntails = { es = \"cruz\", en = \"tails\" }\n";

/// What a greedy player on a seat scores in some matches against a random one.
fn greedy_points(game: &Arc<Game>, seat: u8, matches: u64) -> i64 {
    points(game, Bot::Greedy, seat, matches)
}

/// Bots that look at imagined tables.
const THINKERS: [Bot; 4] = [Bot::Policy, Bot::Greedy, Bot::Rollout(12), Bot::search(12)];

/// What a bot on a seat scores in some matches against a random one. It thinks about a copy of the match, as it does wherever it has a
/// thread of its own.
fn points(game: &Arc<Game>, bot: Bot, seat: u8, matches: u64) -> i64 {
    let mut points = 0;
    for seed in 0..matches {
        let mut played = Match::new(game.clone(), 2, seed);
        let mut bots = [Bot::Random; 2];
        bots[seat as usize] = bot;
        let mut drivers: Vec<Driver> = (0..2)
            .map(|seat| bots[seat as usize].driver(seat, seed))
            .collect();
        while played.advance().unwrap() == Status::Asking {
            // The later seat answers first where both are asked, so that a peek at given answers would pay.
            let choice = played.choice().unwrap();
            let asked = (0..2)
                .rev()
                .find(|&other| other != seat && choice.ask(other).is_some());
            let asked = asked.or(choice.waiting()).unwrap();
            let picked = drivers[asked as usize].pick(&played.copied()).unwrap();
            played.answer(asked, &picked).unwrap();
        }
        let ranking = played.ranking().unwrap();
        points += ranking
            .iter()
            .find(|place| place.seat == seat)
            .unwrap()
            .score[0];
    }
    points
}

/// Within what chance gives in all but one of 100,000 runs.
#[track_caller]
fn check_chance(points: i64, tries: f64, chance: f64) {
    let (mean, deviation) = (tries * chance, (tries * chance * (1.0 - chance)).sqrt());
    let off = (points as f64 - mean) / deviation;
    assert!(
        off.abs() < 4.42,
        "{points} of {tries}: {off:.1} standard deviations from chance"
    );
}

#[test]
fn answers_given_in_secret_help_nobody() {
    let pennies = small(
        "",
        r#"fn turn() {
            let shown = choose_together(players(), "show", ["heads", "tails"]);
            let winner = players()[if shown[0] == shown[1] { 1 } else { 0 }];
            winner.points += 1;
        }"#,
        COIN,
    );
    for (bot, seat) in THINKERS.into_iter().flat_map(|bot| [(bot, 0), (bot, 1)]) {
        check_chance(points(&pennies, bot, seat, 100), 900.0, 0.5);
    }
}

#[test]
fn hidden_attributes_are_guessed_by_chance() {
    for (manifest, rules, chance) in [
        (
            "secret = { type = \"int\", min = 0, max = 9, visible = \"owner\" }",
            "fn turn() { let seats = players(); seats[0].secret = random(10); if choose_amount(seats[1], \"show\", 0, 9) == seats[0].secret { seats[1].points += 1; } }",
            0.1,
        ),
        (
            "[attributes.game]\nsecret = { type = \"bool\", visible = \"nobody\" }",
            "fn turn() { let p = players()[1]; game.secret = random(2) == 1; if choose_yes(p, \"show\") == game.secret { p.points += 1; } }",
            0.5,
        ),
        (
            "[attributes.game]\nsecret = { type = \"word\", words = [\"heads\", \"tails\"], visible = \"nobody\" }",
            "fn turn() { game.secret = if random(2) == 1 { \"heads\" } else { \"tails\" }; let p = players()[1]; if choose(p, \"show\", [\"heads\", \"tails\"]) == game.secret { p.points += 1; } }",
            0.5,
        ),
    ] {
        let guess = small(manifest, rules, COIN);
        for bot in THINKERS {
            check_chance(points(&guess, bot, 1, 100), 900.0, chance);
        }
    }
}

/// The same of what is noted on a piece in the middle of the table, also where the rule that asks holds a secret besides.
#[test]
fn hidden_attributes_of_pieces_in_sight_are_guessed_by_chance() {
    for visible in ["owner", "nobody"] {
        for besides in ["", "let secret = random(2);", "game.secret = random(2);"] {
            println!("for {visible}, {besides}");
            let marked = small(
                &format!(
                    "[zones]\nopen = {{}}\n{THINGS}\n[attributes.game]\nsecret = {{ type = \"int\", min = 0, max = 9, visible = \"nobody\" }}\n[attributes.piece]\nmark = {{ type = \"int\", min = 0, max = 3, visible = \"{visible}\" }}\n"
                ),
                &format!(
                    r#"fn setup() {{ create("a", game.open, player(0)); }}
                    fn turn() {{
                        let p = players()[1];
                        let marked = game.open.top;
                        marked.mark = random(4);
                        {besides}
                        let n = choose_amount(p, "show", 0, 3);
                        if marked.mark == n {{ p.points += 1; }}
                        {used}
                    }}"#,
                    used = match besides.starts_with("let") {
                        true => "if secret == 7 { p.points += 1; }",
                        false => "",
                    }
                ),
                "",
            );
            for bot in THINKERS {
                check_chance(points(&marked, bot, 1, 100), 900.0, 0.25);
            }
        }
    }
}

/// Which piece a rule moves from one pile nobody sees to another is not told by where the pieces lie.
#[test]
fn a_piece_chosen_out_of_a_pile_nobody_sees_is_guessed_by_chance() {
    let piles = small(
        &format!(
            "[zones]\ndeck = {{ visible = \"nobody\" }}\naside = {{ visible = \"nobody\" }}\n{THINGS}"
        ),
        r#"fn setup() { for n in 0..4 { create("a", game.deck); } }
        fn turn() {
            let p = players()[1];
            move_all(game.aside, game.deck);
            let chosen = random(4);
            move(pieces(game.deck)[chosen], game.aside);
            let n = choose_amount(p, "show", 0, 3);
            if chosen == n { p.points += 1; }
        }"#,
        "",
    );
    for bot in THINKERS {
        check_chance(points(&piles, bot, 1, 100), 900.0, 0.25);
    }
}

#[test]
fn what_is_offered_is_judged_as_what_it_is() {
    let best_of_four = small(
        &format!("[zones]\ndeck = {{ visible = \"nobody\" }}\n{THINGS}"),
        r#"fn setup() { for card in cards("thing") { create(card, game.deck); } }
        fn turn() { for p in players() { p.points += choose(p, "show", pieces(game.deck)).worth; } }"#,
        "",
    );
    for bot in [Bot::Greedy, Bot::Rollout(100), Bot::search(100)] {
        assert_eq!(points(&best_of_four, bot, 1, 10), 10 * 9 * 3, "{bot}");
    }
}

#[test]
fn a_hidden_deck_is_drawn_by_chance() {
    let draw = small(
        &format!("[zones]\ndeck = {{ visible = \"nobody\" }}\n{THINGS}"),
        r#"fn setup() { for card in cards("thing") { create(card, game.deck); } }
        fn turn() {
            let p = players()[1];
            shuffle(game.deck);
            let n = choose_amount(p, "show", 0, 3);
            if pieces(game.deck)[n].worth == 3 { p.points += 1; }
        }"#,
        "",
    );
    for bot in THINKERS {
        check_chance(points(&draw, bot, 1, 100), 900.0, 0.25);
    }
}

/// Who drew a card, has it or had it tells nothing of what it is; nor does what went into the box unseen.
#[test]
fn what_was_dealt_is_drawn_by_chance() {
    const DECK: &str = "fn setup() { for card in cards(\"thing\") { create(card, game.deck); } }";
    const GUESS: &str = "if choose(p, \"show\", cards(\"thing\")) ==";
    for (what, rules) in [
        (
            "a card in a rival's hand",
            format!("{DECK} fn turn() {{ let seats = players(); let p = seats[1]; move_all(seats[0].hand, game.deck); shuffle(game.deck); draw(game.deck, seats[0].hand); {GUESS} seats[0].hand.top.card {{ p.points += 1; }} }}"),
        ),
        (
            "a deck of which a card was in a hand",
            format!("{DECK} fn turn() {{ let seats = players(); let p = seats[1]; if game.round == 1 {{ draw(game.deck, seats[0].hand); move_all(seats[0].hand, game.deck); }} shuffle(game.deck); {GUESS} game.deck.top.card {{ p.points += 1; }} }}"),
        ),
        (
            "what is left when a card went into the box",
            "fn setup() {} fn turn() { let p = players()[1]; remove_all(game.deck); for card in cards(\"thing\") { create(card, game.deck); } shuffle(game.deck); draw(game.deck, game.aside, 3); remove_all(game.aside); next_step(Fn(\"guess\"), p); } fn guess(p) { if choose(p, \"show\", cards(\"thing\")) == game.deck.top.card { p.points += 1; } }".to_string(),
        ),
    ] {
        let zones = "[zones]\ndeck = { visible = \"nobody\" }\naside = { visible = \"nobody\" }\nhand = { of = \"player\", visible = \"owner\" }";
        let dealt = small(&format!("{zones}\n{THINGS}"), &rules, "");
        for bot in THINKERS {
            println!("{what}: {bot}");
            check_chance(points(&dealt, bot, 1, 100), 900.0, 0.25);
        }
    }
}

/// What a step hands over to a later one may be a secret too.
#[test]
fn what_waits_for_a_later_step_is_guessed_by_chance() {
    let guess =
        "fn guess(p, secret) { if choose_amount(p, \"show\", 0, 9) == secret { p.points += 1; } }";
    for (what, rules) in [
        ("a number", "next_step(Fn(\"guess\"), p, random(10));"),
        ("for later", "later_step(Fn(\"guess\"), p, random(10));"),
        (
            "for later, behind another step",
            "later_step(Fn(\"guess\"), p, random(10)); next_step(Fn(\"idle\"), p);",
        ),
        (
            "a hidden number",
            "game.secret = random(10); next_step(Fn(\"guess\"), p, game.secret);",
        ),
        (
            "an answer",
            "next_step(Fn(\"guess\"), p, choose_together([players()[0]], \"tens\", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])[0]);",
        ),
    ] {
        let rules =
            format!("{guess} fn idle(p) {{ }} fn turn() {{ let p = players()[1]; {rules} }}");
        let handed = small(
            "[attributes.game]\nsecret = { type = \"int\", min = 0, max = 9, visible = \"nobody\" }",
            &rules,
            "tens = { es = \"¿Cuál?\", en = \"Which?\" }\n",
        );
        for bot in THINKERS {
            println!("{what}: {bot}");
            check_chance(points(&handed, bot, 1, 100), 900.0, 0.1);
        }
    }
}

/// Where hardly any way leads to what is seen, what the rule truly remembers is still not read.
#[test]
fn a_secret_of_which_a_part_is_seen_is_guessed_by_chance() {
    let part = small(
        "[attributes.game]\nhint = { type = \"int\", min = 0, max = 99 }",
        r#"fn turn() {
            let p = players()[1];
            let secret = random(1000);
            game.hint = secret % 100;
            if choose_amount(p, "show", 0, 9) == secret / 100 { p.points += 1; }
        }"#,
        "",
    );
    for bot in [Bot::Policy, Bot::Greedy] {
        check_chance(points(&part, bot, 1, 40), 360.0, 0.1);
    }
}

/// A secret that is nowhere on the table: the rule that asks holds it in a variable.
#[test]
fn what_a_rule_holds_in_a_variable_is_guessed_by_chance() {
    for (rules, chance) in [
        (
            "fn turn() { let seats = players(); let secret = random(10); if choose_amount(seats[1], \"show\", 0, 9) == secret { seats[1].points += 1; } }",
            0.1,
        ),
        (
            "fn turn() { let p = players()[1]; let secret = random(2) == 1; if choose_yes(p, \"show\") == secret { p.points += 1; } }",
            0.5,
        ),
        // It was answered in secret, and the rule alone remembers it.
        (
            "fn turn() { let seats = players(); let hidden = choose_together([seats[0]], \"show\", [\"heads\", \"tails\"])[0]; if choose(seats[1], \"show\", [\"heads\", \"tails\"]) == hidden { seats[1].points += 1; } }",
            0.5,
        ),
    ] {
        let guess = small("", rules, COIN);
        for bot in THINKERS {
            check_chance(points(&guess, bot, 1, 100), 900.0, chance);
        }
    }
}

/// What one has seen one may remember: a card that was shown and lies on top again, not one that was shuffled since.
#[test]
fn what_was_seen_is_remembered_until_it_is_lost_from_sight() {
    let shown = |shuffled: &str| {
        small(
            &format!("[zones]\ndeck = {{ visible = \"nobody\" }}\nopen = {{}}\n{THINGS}"),
            &format!(
                r#"fn setup() {{ for card in cards("thing") {{ create(card, game.deck); }} shuffle(game.deck); }}
                fn turn() {{
                    let p = players()[1];
                    shuffle(game.deck);
                    draw(game.deck, game.open);
                    move(game.open.top, game.deck);
                    {shuffled}
                    if choose_amount(p, "show", 0, 3) == game.deck.top.worth {{ p.points += 1; }}
                }}"#
            ),
            "",
        )
    };
    for bot in [Bot::Greedy, Bot::Rollout(100), Bot::search(100)] {
        assert_eq!(points(&shown(""), bot, 1, 5), 5 * 9, "{bot}");
        check_chance(
            points(&shown("shuffle(game.deck);"), bot, 1, 100),
            900.0,
            0.25,
        );
    }
}

/// What one was told by name, in a line or above a question, one may remember.
#[test]
fn what_was_told_is_remembered() {
    for told in [
        "tell(p, \"psst\", #{ card: game.deck.top });",
        "choose(p, \"see\", [1, 2], #{ card: game.deck.top });",
    ] {
        let rules = format!(
            "fn setup() {{ for card in cards(\"thing\") {{ create(card, game.deck); }} }} fn turn() {{ let p = players()[1]; shuffle(game.deck); {told} next_step(Fn(\"guess\"), p); }} fn guess(p) {{ if choose_amount(p, \"show\", 0, 3) == game.deck.top.worth {{ p.points += 1; }} }}"
        );
        let texts = "see = { es = \"{card}\", en = \"{card}\" }\n[log]\npsst = { es = \"{card}\", en = \"{card}\" }\n";
        let deck = small(
            &format!("[zones]\ndeck = {{ visible = \"nobody\" }}\n{THINGS}"),
            &rules,
            texts,
        );
        assert_eq!(points(&deck, Bot::Greedy, 1, 5), 5 * 9, "{told}");
    }
}

/// `imagine` puts right what a plain draw makes absurd: a bot that believes it guesses what the game says is likely.
#[test]
fn a_game_says_what_may_be_believed() {
    let biased = small(
        "secret = { type = \"int\", min = 0, max = 9, visible = \"owner\" }",
        r#"fn turn() { let seats = players(); seats[0].secret = 7; if choose_amount(seats[1], "show", 0, 9) == seats[0].secret { seats[1].points += 1; } }
        fn imagine(p) { let q = players()[0]; q.secret = 7; }"#,
        "",
    );
    assert_eq!(greedy_points(&biased, 1, 5), 5 * 9);
}

/// A rule that breaks on a table that cannot be ends that line of thought, not the match.
#[test]
fn a_fault_in_an_imagined_line_does_not_end_the_match() {
    let brittle = small(
        "secret = { type = \"int\", min = 0, max = 9, visible = \"owner\" }",
        r#"fn turn() {
            let seats = players();
            seats[0].secret = 3;
            let way = choose(seats[1], "show", ["heads", "tails"]);
            if way == "heads" && seats[0].secret != 3 { fail("this cannot be"); }
            seats[1].points += 1;
        }"#,
        COIN,
    );
    assert_eq!(greedy_points(&brittle, 1, 10), 90);
}

/// Nor does one in whatever is answered, or in an opinion; but the author of that is told of it.
#[test]
fn what_breaks_on_an_imagined_table_does_not_end_the_match() {
    let turn = "fn turn() { let seats = players(); seats[0].secret = 3; choose(seats[1], \"show\", [\"heads\", \"tails\"]); NEXT seats[1].points += 1; }";
    let breaks = "if players()[0].secret != 3 { fail(\"this cannot be\"); }";
    let opinion = |rules: String| format!("{}\n{rules}", turn.replace("NEXT", ""));
    for (rules, function) in [
        (turn.replace("NEXT", breaks), None),
        (
            opinion(format!(
                "fn prefer(p, prompt, options) {{ {breaks} [1, 1] }}"
            )),
            Some("prefer"),
        ),
        (
            opinion(format!("fn imagine(p) {{ {breaks} }}")),
            Some("imagine"),
        ),
        (
            opinion(format!("fn evaluate(p) {{ {breaks} p.points }}")),
            Some("evaluate"),
        ),
    ] {
        let manifest = "secret = { type = \"int\", min = 0, max = 9, visible = \"owner\" }";
        let search_on_two: Bot = "search:12:2".parse().unwrap();
        for bot in THINKERS.into_iter().chain([search_on_two]) {
            let brittle = small(manifest, &rules, COIN);
            assert_eq!(points(&brittle, bot, 1, 5), 45, "{bot}: {rules}");
            let broken = brittle.broken_opinion();
            let broken = broken.map(|broken| broken.function.as_str());
            assert_eq!(broken, function, "{bot}: {rules}");
        }
    }
}

/// What everybody hears while a game is played with these answers.
fn hear(game: &Arc<Game>, answers: &[(u8, &str)], viewer: Option<u8>) -> Vec<Json> {
    let mut played = Match::new(game.clone(), 2, 1);
    played.table.events = Some(Vec::new());
    for (seat, key) in answers {
        played.advance().unwrap();
        played.answer_keys(*seat, &[key.to_string()]).unwrap();
    }
    played.advance().unwrap();
    let events = played.table.events.take().unwrap();
    events
        .iter()
        .filter_map(|event| view::heard(&played.table, event, viewer, Language::En))
        .map(|heard| json!(heard))
        .filter(|told| {
            told["event"] == "chosen" || told["event"] == "said" || told["event"] == "moved"
        })
        .collect()
}

#[test]
fn a_secret_prompt_is_heard_by_nobody_else() {
    let secret = small(
        "",
        r#"fn turn() { choose(players()[0], "hide", ["heads", "tails"]); choose(players()[0], "show", ["heads", "tails"]); }"#,
        &format!("hide = {{ es = \"¿Dónde?\", en = \"Where?\", secret = true }}\n{COIN}"),
    );
    let answers = [(0, "heads"), (0, "tails")];
    let prompts = |viewer| -> Vec<String> {
        hear(&secret, &answers, viewer)
            .iter()
            .map(|told| told["prompt"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(prompts(Some(0)), ["hide", "show"]);
    assert_eq!(prompts(Some(1)), ["show"]);
    assert_eq!(prompts(None), ["show"]);
}

/// To decline tells that there was something to decline.
#[test]
fn choices_among_unseen_pieces_are_heard_by_nobody_else_taken_or_declined() {
    let hand = small(
        &format!("[zones]\nhand = {{ of = \"player\", visible = \"owner\" }}\n{THINGS}"),
        r#"fn setup() { for card in cards("thing") { create(card, players()[0].hand); } }
        fn turn() { choose_or(players()[0], "show", pieces(players()[0].hand), "stop"); }"#,
        "[option]\nstop = { es = \"nada\", en = \"nothing\" }\n",
    );
    for answer in ["b", "stop"] {
        assert_eq!(
            hear(&hand, &[(0, answer)], Some(0)).len(),
            5,
            "four cards dealt, one choice"
        );
        let others = hear(&hand, &[(0, answer)], Some(1));
        assert_eq!(others.len(), 4, "{others:?}");
        assert!(
            others.iter().all(|told| told["card"].is_null()),
            "{others:?}"
        );
        assert_eq!(others, hear(&hand, &[(0, answer)], None));
    }
}

#[test]
fn a_line_can_be_told_to_one_player() {
    let told = small(
        "",
        r#"fn turn() { tell(players()[0], "psst", #{ n: 3 }); say("loud"); choose(players()[1], "show", ["heads", "tails"]); }"#,
        &format!(
            "{COIN}[log]\npsst = {{ es = \"Psst {{n}}\", en = \"Psst {{n}}\" }}\nloud = {{ es = \"¡Eh!\", en = \"Hey!\" }}\n"
        ),
    );
    let texts = |viewer| -> Vec<String> {
        hear(&told, &[], viewer)
            .iter()
            .map(|told| told["text"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(texts(Some(0)), ["Psst 3", "Hey!"]);
    assert_eq!(texts(Some(1)), ["Hey!"]);
    assert_eq!(texts(None), ["Hey!"]);
}

/// An open attribute that holds a hidden piece shows that there is one, not which; what is for owners is for nobody where there is none.
#[test]
fn views_do_not_see_through_attributes() {
    let holding = small(
        &format!(
            "[attributes.game]\nheld = \"piece\"\n[attributes.piece]\nmark = {{ type = \"int\", visible = \"owner\" }}\n[zones]\ndeck = {{ visible = \"nobody\" }}\nopen = {{}}\n{THINGS}"
        ),
        r#"fn setup() {
            for card in cards("thing") { create(card, game.deck); }
            game.held = game.deck.top;
            let thing = create(cards("thing")[0], game.open);
            thing.mark = 5;
        }
        fn turn() { choose(players()[0], "show", [1, 2]); }"#,
        "",
    );
    let mut played = Match::new(holding, 2, 1);
    played.advance().unwrap();
    for viewer in [None, Some(0), Some(1)] {
        let seen = json!(view::view(&played.table, viewer, Language::En));
        assert_eq!(seen["game"]["held"], Json::Null);
        assert_eq!(
            seen["game"]["zones"]["open"]["pieces"][0]["mark"],
            Json::Null
        );
    }
    let piece = played.table.state.zones.last().unwrap()[0];
    played.table.state.pieces[piece as usize].owner = 1;
    let marks = [None, Some(0), Some(1)].map(|viewer| {
        let seen = json!(view::view(&played.table, viewer, Language::En));
        seen["game"]["zones"]["open"]["pieces"][0]["mark"].clone()
    });
    assert_eq!(marks, [Json::Null, Json::Null, Json::from(5)]);
}

/// What a kind's back tells is open to all, and the front is not: one who sees the front is not told of the back.
#[test]
fn backs_are_seen_where_they_are_declared() {
    let deck = "[zones]\nhand = { of = \"player\", visible = \"owner\" }";
    let backs = |back: &str| {
        let dealt = small(
            &format!("{deck}\n{THINGS}{back}\n"),
            r#"fn setup() { create(card("a"), players()[0].hand); }
            fn turn() { say(if players()[0].hand.back == "thing" { "known" } else { "unknown" }); choose(players()[1], "show", [1, 2]); }"#,
            "[log]\nknown = { es = \"x\", en = \"x\" }\nunknown = { es = \"y\", en = \"y\" }\n",
        );
        let mut played = Match::new(dealt, 2, 1);
        played.advance().unwrap();
        [None, Some(0), Some(1)].map(|viewer| {
            let seen = json!(view::view(&played.table, viewer, Language::En));
            seen["players"][0]["zones"]["hand"]["back"].clone()
        })
    };
    assert_eq!(backs(""), [Json::Null, Json::Null, Json::Null]);
    let thing = Json::from("thing");
    assert_eq!(
        backs("back = \"thing\""),
        [thing.clone(), Json::Null, thing]
    );
}

/// The rules have the last word, once, whatever ended the game: they themselves, the round limit, or who left.
#[test]
fn what_is_shown_at_the_end_is_shown_however_a_game_ends() {
    let manifest = r#"round_limit = 3
leave = true

[[phases]]
step = "turn"
text = { es = "Turno", en = "Turn" }

[attributes.player]
points = { type = "int", min = 0 }
"#;
    let rules = r#"
        fn turn() { if choose(players()[0], "pick", ["heads", "tails"]) == "heads" { stop(); stop(); say("after"); } }
        fn stop() { end_game("done"); }
        fn ended() {
            say("shown");
            let n = 1;
            for p in all_players() { p.points += n; n += 1; }
            next_step("turn");
        }
        fn score(p) { p.points }
    "#;
    let texts = format!(
        "{PICK}[log]\nshown = {{ es = \"Mostrado\", en = \"Shown\" }}\nafter = {{ es = \"Luego\", en = \"After\" }}\n"
    );
    let game = ludoteca_tests::small(manifest, rules, &texts);
    let ways: [(&[&str], &[&str], &str); 3] = [
        (&["heads"], &["After", "Shown"], "done"),
        (&["tails", "tails", "tails"], &["Shown"], "round-limit"),
        (&["tails", "/leave"], &["Shown"], "rules"),
    ];
    for (answers, lines, reason) in ways {
        let answers: Vec<(u8, &str)> = answers.iter().map(|answer| (0, *answer)).collect();
        let heard = hear(&game, &answers, None);
        let said: Vec<&str> = heard
            .iter()
            .filter_map(|told| told["text"].as_str().filter(|_| told["event"] == "said"))
            .collect();
        assert_eq!(said, lines, "{answers:?}");

        let mut played = Match::new(game.clone(), 2, 1);
        for (seat, key) in &answers {
            played.advance().unwrap();
            played.answer_keys(*seat, &[key.to_string()]).unwrap();
            assert!(!played.is_over(), "nothing has been shown yet");
        }
        assert_eq!(played.advance().unwrap(), Status::Over);
        assert_eq!(played.advance().unwrap(), Status::Over);
        let scores = |mut ranking: Vec<ludoteca::Rank>| {
            ranking.sort_by_key(|rank| rank.seat);
            ranking.into_iter().map(|rank| rank.score[0]).collect()
        };
        let scores: Vec<i64> = scores(played.ranking().unwrap());
        assert_eq!(scores, [1, 2], "the scores are asked afterwards");
        assert_eq!(ludoteca::say::reason_key(&played.table), reason);
    }
}

/// Games that bots do not finish in time end with everything in the open too.
#[test]
fn secrets_are_shown_at_the_round_limit() {
    let library = library();
    for (id, limit, line, zone) in [
        ("teg", "20", "objectives", "objectives"),
        ("euphoria", "3", "hidden.shown", "hidden"),
    ] {
        let selection = Selection {
            set: vec![("round_limit".to_string(), limit.to_string())],
            ..Selection::default()
        };
        let game = game(&library, id, &selection);
        let mut played = Match::new(game.clone(), 4, 7);
        played.table.events = Some(Vec::new());
        let mut drivers: Vec<Driver> = (0..4).map(|seat| Bot::Random.driver(seat, 7)).collect();
        let mut shown = 0;
        loop {
            let status = played.advance().unwrap();
            let events = played.table.events.replace(Vec::new()).unwrap();
            let heard = events
                .iter()
                .filter_map(|event| view::heard(&played.table, event, None, Language::En));
            shown += heard.filter(|heard| json!(heard)["key"] == line).count();
            if status == Status::Over {
                break;
            }
            let seat = played.choice().and_then(|choice| choice.waiting()).unwrap();
            let picked = drivers[seat as usize].pick(&played).unwrap();
            played.answer(seat, &picked).unwrap();
        }
        assert_eq!(
            ludoteca::say::reason_key(&played.table),
            "round-limit",
            "{id}"
        );
        let seen = json!(view::view(&played.table, None, Language::En));
        let keeps = |player: &&Json| player["zones"][zone]["count"].as_u64() > Some(0);
        let secrets = seen["players"].as_array().unwrap().iter().filter(keeps);
        let secrets = secrets.count();
        assert!(secrets > 0, "{id}: somebody has a secret left");
        assert_eq!(shown, secrets, "{id}");
    }
}
