//! What the author of a scenario sees: one snapshot for each mistake, and what a scenario that does not hold says.

use crate::fixture::*;
use ludoteca::{Library, Suite, render_all};

const PATH: &str = "tests/scenarios/fair/visits.toml";

const SCENARIO_RULES: &str = r#"fn setup() {}
fn turn(p) { visit(p); }
fn visit(p) {
    shuffle(game.deck);
    let place = choose_or(p, "visit", spaces(), "stop");
    if place == () { return; }
    place.visits[p] += roll_one("d6");
    say("visited", #{ place: place });
}
fn buy(p, stall) {
    p.money -= choose_amount(p, "buy.stall", 1, 3);
    if p.money == 0 { end_game("ruined"); }
}
fn score(p) { p.money }
fn metric_money(p) { p.money }
fn throw_rings() {}
fn no_effect() {}
"#;

const SCENARIO_TEXT: &str = r#"[prompt]
visit = { es = "¿Qué visitas?", en = "What do you visit?" }
buy.stall = { es = "¿Cuánto pagas?", en = "How much do you pay?" }
[option]
stop = { es = "Terminar", en = "Stop" }
[log]
visited = { es = "Visita a {place}.", en = "{place} is visited." }
closed = { es = "Está cerrado.", en = "It is closed." }
[reason]
ruined = { es = "Ruina", en = "Ruin" }
"#;

pub const SCENARIO: &str = r#"game = "fair"

[[scenario]]
title = "a visit is counted"
players = 2
seed = 7
variants = ["cheap"]
set = { "prices.stall.helpers" = 2 }
run = ["visit(p0)"]
dice = { d6 = [4] }
shuffles = { "game.deck" = ["ring_toss"] }
[scenario.state]
keep = ["mill", "bridge"]
order = [1, 0]
start = 0
[scenario.state.game]
round = 2
weather = "rain"
[scenario.state.players.p1]
money = 3
secret = "churros"
[scenario.state.spaces]
"*" = { visits = [1, 1] }
mill = { owner = 1, visits = { p0 = 2 } }
[scenario.state.zones]
"game.deck" = ["churros", { card = "ring_toss", owner = 1, face_up = true }]
[[scenario.answers]]
seat = 0
prompt = "visit"
refuse = "square"
[[scenario.answers]]
seat = 0
prompt = "visit"
choose = "mill"
[scenario.expect]
asked = ""
log = ["visited"]
not_log = ["closed"]
ended = false
[scenario.expect.spaces]
mill = { visits = { p0 = 6, p1 = 1 } }
[scenario.expect.players]
p1 = { money = 3, secret = "churros" }
[scenario.expect.zones]
"p0.hand" = []
[scenario.expect.sizes]
"game.deck" = 2

[[scenario]]
title = "a stall costs one to three"
players = 2
run = ['buy(p0, "churros")']
[scenario.expect]
asked = "buy.stall"
seat = 0
options = [1, 2, 3]
offered = [3]
not_offered = [4]
"#;

pub fn fair_with(scenario: &str) -> Library {
    let manifest = with(MANIFEST, "[ranges]", "[dice]\nd6 = {}\n\n[ranges]");
    let files = [
        ("scripts/fair/game.toml", &*manifest),
        ("scripts/fair/rules.rhai", SCENARIO_RULES),
        ("cards/fair/text.toml", SCENARIO_TEXT),
        (PATH, scenario),
    ];
    Library::open(&[fair(&files)]).0
}

/// What is said of a file of scenarios when it is read, and of its scenarios when they are run.
fn told(scenario: &str) -> String {
    let library = fair_with(scenario);
    let (suite, problems) = Suite::read(&library, &library.scenarios(None));
    let failures = suite.run(&library).into_iter().flat_map(|tried| {
        let title = tried.title.value;
        tried
            .failures
            .into_iter()
            .map(move |failure| format!("{title}: {failure}"))
    });
    let failures: Vec<String> = failures.collect();
    let read = render_all(&problems, false);
    [read, failures.join("\n")]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n")
}

#[test]
fn a_scenario_that_holds_says_nothing() {
    assert_eq!(told(SCENARIO), "");
}

macro_rules! spoiled {
    ($($name:ident: $old:expr => $new:expr;)*) => {
        $(#[test]
        fn $name() {
            let told = told(&with(SCENARIO, $old, $new));
            assert!(!told.is_empty(), "this must not pass");
            insta::assert_snapshot!(concat!("scenario_", stringify!($name)), told);
        })*
    };
}

// What used to pass, though nothing was shown by it.
spoiled! {
    refused_key_of_nothing: "refuse = \"square\"" => "refuse = \"sqare\"";
    refused_key_of_another_form: "refuse = \"square\"" => "refuse = \"churros\"";
    refused_number_far_off: "not_offered = [4]" => "not_offered = [44]";
    refused_word_of_another_prompt: "not_offered = [4]" => "not_offered = [\"rain\"]";
    not_offered_word_beside_an_amount: "not_offered = [4]" => "not_offered = [\"stop\"]";
    not_offered_key_of_a_line: "not_offered = [4]" => "not_offered = [\"visited\"]";
    not_offered_prompt: "not_offered = [4]" => "not_offered = [\"visit\"]";
    not_offered_die: "not_offered = [4]" => "not_offered = [\"d6\"]";
    not_offered_reason: "not_offered = [4]" => "not_offered = [\"ruined\"]";
    refused_key_of_a_line: "refuse = \"square\"" => "refuse = \"visited\"";
    refused_die: "refuse = \"square\"" => "refuse = \"d6\"";
    not_offered_key_of_nothing: "not_offered = [4]" => "not_offered = [\"for\"]";
    not_offered_though_nothing_is_asked: "asked = \"\"" => "not_offered = [\"mill\"]";
    log_line_of_nothing: "not_log = [\"closed\"]" => "not_log = [\"closd\"]";
    ended_with_a_number: "ended = false" => "ended = 3";
    ended_for_an_unknown_reason: "ended = false" => "ended = \"ruin\"";
    too_many_players: "players = 2\nseed" => "players = 9\nseed";
    order_of_seats_that_are_not_there: "order = [1, 0]" => "order = [7, 9]";
    order_with_a_seat_twice: "order = [1, 0]" => "order = [0, 0]";
    one_card_in_two_zones: "{ card = \"ring_toss\", owner = 1, face_up = true }]" => "\"ring_toss\"]\n\"p0.hand\" = [\"ring_toss\"]";
    one_card_twice: "\"churros\", {" => "\"ring_toss\", {";
    no_expectation: "[scenario.expect]\nasked = \"buy.stall\"\nseat = 0\noptions = [1, 2, 3]\noffered = [3]\nnot_offered = [4]\n" => "";
    empty_expectation: "asked = \"buy.stall\"\nseat = 0\noptions = [1, 2, 3]\noffered = [3]\nnot_offered = [4]\n" => "";
    expectations_of_nothing: "not_offered = [4]" => "not_offered = []\nlog = []\n[scenario.expect.players]\np0 = {}";
    owner_who_is_not_there: "owner = 1, visits" => "owner = 9, visits";
    owner_of_a_piece_who_is_not_there: "owner = 1, face_up" => "owner = -2, face_up";
    row_of_a_seat_that_is_not_there: "{ p0 = 2 }" => "{ p3 = 4 }";
    row_that_is_too_long: "\"*\" = { visits = [1, 1] }" => "\"*\" = { visits = [1, 1, 1] }";
    fault_of_any_kind: "not_offered = [4]" => "fault = \"\"";
    nothing_is_run: "run = [\"visit(p0)\"]\n" => "";
    shuffle_that_never_comes: "shuffles = { \"game.deck\"" => "shuffles = { \"p0.hand\"";
    shuffle_of_more_cards_than_there_are: "{ \"game.deck\" = [\"ring_toss\"] }" => "{ \"game.deck\" = [\"ring_toss\", \"churros\", \"ring_toss\"] }";
    refused_copy_of_a_space: "refuse = \"square\"" => "refuse = \"square#2\"";
    refused_copy_of_a_word: "refuse = \"square\"" => "refuse = \"stop#2\"";
    not_offered_copy_of_a_number: "not_offered = [4]" => "not_offered = [\"3#2\"]";
    not_offered_copy_beyond_all_numbers: "refuse = \"square\"" => "refuse = \"square#9999999999\"";
    not_offered_copy_there_is_not: "not_offered = [4]" => "not_offered = [\"churros#4\"]";
    not_offered_number_written_otherwise: "not_offered = [4]" => "not_offered = [\"04\"]";
    not_offered_number_below_all: "not_offered = [4]" => "not_offered = [-1]";
    nobody_has_won_yet: "ended = false" => "winners = []";
    order_without_a_seat: "order = [1, 0]" => "order = [1]";
    seat_named_twice: "[scenario.state.players.p1]" => "[scenario.state.players.1]\nmoney = 2\n[scenario.state.players.p1]";
    seat_named_twice_in_a_row: "{ p0 = 2 }" => "{ p0 = 2, 0 = 3 }";
    seat_expected_twice: "p1 = { money = 3, secret" => "1 = { money = 3 }\np1 = { money = 3, secret";
    round_that_is_never_reached: "round = 2" => "round = 21";
    call_that_is_never_reached: "run = ['buy(p0, \"churros\")']" => "run = ['buy(p0, \"churros\")', \"visit(p0)\"]";
}

spoiled! {
    unknown_key: "seed = 7" => "sed = 7";
    missing_title: "title = \"a visit is counted\"\n" => "";
    number_for_a_list: "log = [\"visited\"]" => "log = 3";
    unknown_game: "game = \"fair\"" => "game = \"fiar\"";
    unknown_variant: "\"cheap\"" => "\"chaep\"";
    unknown_setting: "prices.stall.helpers" => "prices.stall.helper";
    unknown_die: "d6 = [4]" => "d8 = [4]";
    face_the_die_does_not_have: "d6 = [4]" => "d6 = [7]";
    unknown_zone: "shuffles = { \"game.deck\"" => "shuffles = { \"game.dekc\"";
    unknown_card: "{ card = \"ring_toss\"" => "{ card = \"ring_tos\"";
    unknown_space: "\nmill = { owner" => "\nmil = { owner";
    unknown_attribute: "money = 3\n" => "mony = 3\n";
    unknown_word: "weather = \"rain\"" => "weather = \"rian\"";
    unknown_seat: "[scenario.state.players.p1]" => "[scenario.state.players.p2]";
    unknown_prompt: "prompt = \"visit\"\nrefuse" => "prompt = \"visist\"\nrefuse";
    unknown_function: "visit(p0)" => "visti(p0)";
    wrong_number_of_arguments: "visit(p0)" => "visit()";
    argument_of_nothing: "\"churros\")']" => "\"churos\")']";
    argument_that_is_none: "visit(p0)" => "visit(me)";
    seat_in_a_call_that_is_not_there: "visit(p0)" => "visit(p5)";
    not_a_call: "visit(p0)" => "visit p0";
    value_out_of_range: "money = 3\n" => "money = -3\n";
    neither_chosen_nor_refused: "choose = \"mill\"\n" => "";
    both_chosen_and_refused: "choose = \"mill\"\n" => "choose = \"mill\"\nrefuse = \"square\"\n";
    not_toml: "players = 2\nseed" => "players = = 2\nseed";
}

// What is sound but does not hold.
spoiled! {
    offered_though_refused: "refuse = \"square\"" => "refuse = \"bridge\"";
    answer_to_another_prompt: "prompt = \"visit\"\nchoose = \"mill\"" => "prompt = \"buy.stall\"\nchoose = 1";
    option_that_is_not_there: "choose = \"mill\"" => "choose = \"square\"";
    other_values: "p0 = 6, p1 = 1" => "p0 = 7, p1 = 2";
    other_pieces: "\"p0.hand\" = []" => "\"p0.hand\" = [\"churros\"]";
    other_pieces_in_number: "\"game.deck\" = 2" => "\"game.deck\" = 3";
    dice_that_are_not_thrown: "d6 = [4]" => "d6 = [4, 5]";
    choice_that_is_not_open: "asked = \"\"" => "asked = \"visit\"";
    fault_that_does_not_come: "ended = false" => "fault = \"broke\"";
}

#[test]
fn many_mistakes_at_once() {
    let mut many = with(SCENARIO, "players = 2\nseed", "players = 3\nsed");
    for (right, wrong) in [
        ("weather = \"rain\"", "wether = \"rain\""),
        ("p0 = 2", "p0 = \"two\""),
        ("\"ring_toss\"] }", "\"ring\"] }"),
        ("not_log = [\"closed\"]", "not_log = [\"shut\"]"),
        ("offered = [3]", "offerd = [3]"),
    ] {
        many = with(&many, right, wrong);
    }
    insta::assert_snapshot!(told(&many));
}

#[test]
fn a_file_without_scenarios() {
    let empty = "game = \"fair\"\nscenario = []\n";
    insta::assert_snapshot!(told(empty));
}

#[test]
fn scenarios_in_the_folder_of_another_game() {
    let files = [
        ("tests/scenarios/market/visits.toml", SCENARIO),
        ("tests/scenarios/fair/notes.txt", ""),
    ];
    let (library, _) = Library::open(&[fair(&files)]);
    let (_, problems) = Suite::read(&library, &library.scenarios(None));
    let first: Vec<_> = problems
        .into_iter()
        .filter(|p| p.code.id() == "E048" || p.code.id() == "E004")
        .collect();
    insta::assert_snapshot!(render_all(&first, false));
}

/// Not all scenarios are read where they play very many ways: the first that is not is told, and nothing is wrong.
#[test]
fn scenarios_that_play_in_very_many_ways_are_told_where_reading_ends() {
    let way = |n: usize| {
        format!(
            "[[scenario]]\ntitle = \"T{n}\"\nplayers = 2\nset = {{ \"prices.stall.helpers\" = {n} }}\nrun = [\"score(p0)\"]\n[scenario.expect]\nended = false\n"
        )
    };
    let ways: String = (1..1000).map(way).collect();
    let text = format!("game = \"fair\"\n{ways}");
    let found = fair_with(&text).check(None);
    let limits: Vec<_> = found.iter().filter(|one| one.code.id() == "E011").collect();
    assert_eq!(limits.len(), 1, "{}", render_all(&found, false));
    assert!(!limits[0].is_error());
    let place = &limits[0].at.as_ref().expect("where reading ends").place;
    assert!(place.file.path == PATH && place.line() > 2, "{}", limits[0]);
}
