//! What a decision costs as maps, tables and matches grow. Operations are counted, never time: they are the same on every machine.

use ludoteca::bots::Bot;
use ludoteca::content::diagnostic::render_all;
use ludoteca::content::library::{Library, Selection};
use ludoteca::content::pack::PackSource;
use ludoteca::limits::MOST_SPACES;
use ludoteca::play::arena::Arena;
use ludoteca::script::load;
use ludoteca::table::game::Game;
use ludoteca_lab::simulate;
use std::sync::Arc;

/// Every player takes a space beside its own, and a scout comes and goes with every turn.
const RULES: &str = r#"
fn setup() {
    for (square, k) in shuffled(spaces()) { square.owner = player(k % player_count()); }
}
fn turn(p) {
    let scout = create("scout", game.field);
    let border = choose_or(p, "attack", edges(owned(p), others(owned(p))), "stop");
    if border != () { border.to.owner = p; }
    remove(scout);
}
fn score(p) { owned(p).len }
"#;

const TEXT: &str = r#"
[prompt]
attack = { es = "¿Dónde atacas?", en = "Where do you attack?" }
[option]
stop = { es = "Nada", en = "Nothing" }
"#;

const CARDS: &str = r#"
kind = "token"
[cards.scout]
name = { es = "Explorador", en = "Scout" }
"#;

fn game(side: usize, rounds: u32) -> Arc<Game> {
    let manifest = format!(
        r#"version = "1.0.0"
title = {{ es = "Crecer", en = "Growth" }}
summary = {{ es = "Crecer.", en = "Growth." }}
players = [2, 8]
map = "board"
round_limit = {rounds}
[attributes.space]
owner = "player"
[zones]
field = {{ visible = "all" }}
[kinds.token]
text = {{ es = "Ficha", en = "Token" }}
[[phases]]
step = "turn"
each = "player"
text = {{ es = "Turno", en = "Turn" }}
"#
    );
    let map = format!(
        "title = {{ es = \"Tablero\", en = \"Board\" }}\n[grid]\nsize = [{side}, {side}]\n"
    );
    let pack = PackSource::memory(
        "base",
        [
            ("scripts/growth/game.toml", manifest.as_str()),
            ("scripts/growth/rules.rhai", RULES),
            ("cards/growth/text.toml", TEXT),
            ("cards/growth/tokens.toml", CARDS),
            ("maps/growth/board.toml", map.as_str()),
        ],
    );
    let (library, _) = Library::open(&[pack]);
    load::load(&library, "growth", &Selection::default())
        .unwrap_or_else(|problems| panic!("{}", render_all(&problems, false)))
}

/// What a match of random players took.
#[derive(Debug, PartialEq)]
struct Cost {
    /// Operations for a thousand decisions.
    operations: u64,
    /// Pieces there is room for at the end, and the numbers of a position.
    rows: usize,
    numbers: usize,
}

fn cost(side: usize, players: u8, rounds: u32) -> Cost {
    let game = game(side, rounds);
    let mut arena = Arena::new(&game, players);
    let bots = vec![Bot::Random; players as usize];
    let record = simulate::play(&mut arena, &bots, 1).expect("the rules hold");
    assert_eq!(record.rounds, rounds);
    let played = arena.played();
    Cost {
        operations: played.spent() * 1000 / record.decisions,
        rows: played.table.state.pieces.len(),
        numbers: played.table.state.values.len() + played.table.state.piece_values.len(),
    }
}

/// A round of a long match costs what a round of a short one costs, and a position is as large.
#[test]
fn a_decision_costs_the_same_in_a_long_match() {
    let (short, long) = (cost(8, 4, 100), cost(8, 4, 1000));
    assert_eq!((short.rows, short.numbers), (long.rows, long.numbers));
    // Setting the table up is spread over more decisions.
    assert!(
        long.operations <= short.operations,
        "{short:?} then {long:?}"
    );
    assert!(
        long.operations * 2 > short.operations,
        "nothing was counted: {long:?}"
    );
}

/// Four times the spaces cost at most four times as much.
#[test]
fn a_decision_costs_at_most_in_proportion_to_the_map() {
    let sides = [8, 16, 32]
        .into_iter()
        .filter(|side| side * side <= MOST_SPACES);
    let costs: Vec<Cost> = sides.map(|side| cost(side, 4, 100)).collect();
    assert!(costs.len() >= 2);
    for pair in costs.windows(2) {
        assert!(
            pair[1].operations <= 4 * pair[0].operations,
            "{:?} then {:?}",
            pair[0],
            pair[1]
        );
    }
}

/// Twice the players cost at most twice as much.
#[test]
fn a_decision_costs_at_most_in_proportion_to_the_players() {
    let costs: Vec<Cost> = [2, 4, 8].map(|players| cost(16, players, 100)).into();
    for pair in costs.windows(2) {
        assert!(
            pair[1].operations <= 2 * pair[0].operations,
            "{:?} then {:?}",
            pair[0],
            pair[1]
        );
    }
}
