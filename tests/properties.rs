//! What must hold in every game, whatever its rules: checked over whole random games of every game and player count.

use ludoteca::{
    Arena, Bot, Driver, Game, Language, Luck, Match, Status, Stream, Table, Transcript,
    inside::IN_THE_BOX, random, view,
};
use ludoteca_lab::simulate;
use ludoteca_tests::games;
use serde_json::json;
use std::sync::Arc;

/// Every game with each number of players it allows.
fn every_table() -> Vec<(Arc<Game>, u8)> {
    let with_players = |game: Arc<Game>| {
        let (fewest, most) = game.definition.players;
        (fewest..=most).map(move |players| (game.clone(), players))
    };
    games().into_iter().flat_map(with_players).collect()
}

/// Plays at random from outside and looks at the table at each choice, for so many choices.
fn walk(
    game: &Arc<Game>,
    players: u8,
    seed: u64,
    most: usize,
    mut look: impl FnMut(&mut Match, usize),
) {
    let mut played = Match::new(game.clone(), players, seed);
    let luck: Vec<Luck> = (0..players).map(|seat| Luck::new(seat, seed)).collect();
    for n in 0..most {
        let status = played
            .advance()
            .unwrap_or_else(|broken| panic!("{} seed {seed}: {broken}", game.definition.id));
        if status == Status::Over {
            return;
        }
        look(&mut played, n);
        let seat = played
            .choice()
            .and_then(|choice| choice.waiting())
            .expect("an open choice waits for somebody");
        let mut luck = luck[seat as usize].now(&played.table.state);
        let picked = random::pick(&played, seat, &mut luck);
        played.answer(seat, &picked).unwrap_or_else(|error| {
            panic!(
                "{} seed {seed}: an option offered was refused: {error}",
                game.definition.id
            )
        });
    }
}

fn check_pieces(table: &Table, game: &str) {
    let mut places = vec![0; table.state.pieces.len()];
    for (zone, pieces) in table.state.zones.iter().enumerate() {
        for &piece in pieces.iter() {
            places[piece as usize] += 1;
            assert_eq!(
                table.state.pieces[piece as usize].zone, zone as u32,
                "{game}: a piece and its zone agree"
            );
        }
    }
    for (piece, &places) in places.iter().enumerate() {
        let expected = if table.state.pieces[piece].zone == IN_THE_BOX {
            0
        } else {
            1
        };
        assert_eq!(places, expected, "{game}: piece {piece} is in one place");
    }
}

#[test]
fn a_piece_is_in_one_place_and_options_have_keys() {
    for (game, players) in every_table() {
        walk(&game, players, 11, 1500, |played, _| {
            check_pieces(&played.table, &game.definition.id);
            let choice = played.choice().expect("a choice is open");
            let seat = choice.waiting().expect("somebody is asked");
            let keys = choice.keys(&played.table, seat);
            assert!(
                keys.len() > 1,
                "{}: a choice that is put to somebody has options",
                game.definition.id
            );
            let mut unique = keys.clone();
            unique.sort();
            unique.dedup();
            assert_eq!(
                unique.len(),
                keys.len(),
                "{}: keys tell options apart: {keys:?}",
                game.definition.id
            );
            assert!(
                keys.iter()
                    .all(|key| !key.is_empty() && !key.contains(char::is_whitespace)),
                "{}: {keys:?}",
                game.definition.id
            );
        });
    }
}

/// The rules' own invariants hold after every step.
#[test]
fn invariants_hold() {
    for (game, players) in every_table() {
        let mut arena = Arena::new(&game, players);
        arena.played().verify = true;
        let bots = vec![Bot::Random; players as usize];
        simulate::play(&mut arena, &bots, 3)
            .unwrap_or_else(|broken| panic!("{} with {players}: {broken}", game.definition.id));
    }
}

#[test]
fn saving_and_playing_again_give_the_same_game() {
    for (game, players) in every_table() {
        let bots = vec![Bot::Random; players as usize];
        let (record, transcript) = simulate::transcribe(&game, players, &bots, 9).unwrap();
        let (again, _) = simulate::transcribe(&game, players, &bots, 9).unwrap();
        assert_eq!(record, again, "{}: one seed, one game", game.definition.id);

        let text = transcript.to_string();
        let read = Transcript::parse(&text).unwrap();
        assert_eq!(read.to_string(), text);
        let (mut replayed, result) = read.replay(game.clone(), false, false);
        assert_eq!(
            result.unwrap_or_else(|error| panic!("{}: {error}", game.definition.id)),
            Status::Over
        );
        let scores: Vec<i64> = scores(&mut replayed);
        assert_eq!(
            scores, record.scores,
            "{}: a transcript gives the same end",
            game.definition.id
        );
    }
}

fn scores(played: &mut Match) -> Vec<i64> {
    let mut ranking = played.ranking().unwrap();
    ranking.sort_by_key(|place| place.seat);
    ranking
        .iter()
        .map(|place| place.score.first().copied().unwrap_or(0))
        .collect()
}

/// How far matches are followed when two of them are compared.
const FOLLOWED: usize = 400;

/// Plays on with everybody's luck, and tells each answer and how the table looks at the end.
fn played_on(played: &mut Match, luck: &mut [Stream], most: usize) -> Vec<String> {
    let mut told = Vec::new();
    while told.len() < most && played.advance().expect("sound rules") == Status::Asking {
        let choice = played.choice().expect("a choice is open");
        let seat = choice.waiting().expect("somebody is asked");
        let keys = choice.keys(&played.table, seat);
        let picked = random::pick(played, seat, &mut luck[seat as usize]);
        let taken: Vec<&str> = picked.iter().map(|&n| keys[n as usize].as_str()).collect();
        told.push(format!(
            "p{seat}: {} of {}",
            taken.join(" "),
            keys.join(" ")
        ));
        played.answer(seat, &picked).expect("an option offered");
    }
    for viewer in (0..played.table.players()).map(Some).chain([None]) {
        told.push(json!(view::view(&played.table, viewer, Language::En)).to_string());
    }
    told.push(format!("{:?}", played.table.state.tally));
    told
}

/// A copy of a position goes on exactly as its original, also on content that was loaded anew, and the original does not notice.
#[test]
fn a_fork_goes_on_as_its_original() {
    let anew: Vec<Arc<Game>> = games();
    for (game, players) in every_table() {
        let name = &game.definition.id;
        let same = anew.iter().find(|other| other.definition.id == *name);
        let same = same.expect("the same games").clone();
        assert_eq!(same.definition.hash, game.definition.hash, "{name}");
        let seats = || (0..players).map(|seat| Stream::new(21, &format!("walker.{seat}")));
        let mut luck: Vec<Stream> = seats().collect();
        let mut original = Match::new(game.clone(), players, 21);
        for cut in [1, 20, 40] {
            for _ in 0..cut {
                assert_eq!(
                    original.advance().expect("sound rules"),
                    Status::Asking,
                    "{name} is longer"
                );
                let seat = original
                    .choice()
                    .and_then(|choice| choice.waiting())
                    .expect("a seat");
                let picked = random::pick(&original, seat, &mut luck[seat as usize]);
                original.answer(seat, &picked).expect("an option offered");
            }
            let position = original.position();
            let forked = |game: &Arc<Game>, luck: &mut Vec<Stream>| {
                let mut fork = Match::empty(game.clone(), players, 0);
                fork.restore(&position);
                played_on(&mut fork, luck, FOLLOWED)
            };
            let fork = forked(&game, &mut luck.clone());
            let other_luck = forked(
                &game,
                &mut (0..players)
                    .map(|seat| Stream::new(22, &format!("walker.{seat}")))
                    .collect(),
            );
            let swapped = forked(&same, &mut luck.clone());
            let mut rest = Match::empty(game.clone(), players, 0);
            rest.follow(&original);
            let went_on = played_on(&mut rest, &mut luck.clone(), FOLLOWED);
            assert_eq!(fork, went_on, "{name} with {players}: a fork is a copy");
            assert_eq!(
                swapped, went_on,
                "{name} with {players}: the same content, loaded anew"
            );
            assert_ne!(
                other_luck, went_on,
                "{name} with {players}: the answers matter"
            );
        }
        // After all those forks the match that was forked ends as one that never was.
        let untouched = played_on(
            &mut Match::new(game.clone(), players, 21),
            &mut seats().collect::<Vec<_>>(),
            usize::MAX,
        );
        let ended = played_on(&mut original, &mut luck, usize::MAX);
        assert!(
            untouched.ends_with(&ended),
            "{name} with {players}: forks leave no trace"
        );
    }
}

/// Bots that answer on the spot, inside the machine, and bots that are asked play the same game; on one thread or several.
#[test]
fn in_place_or_stopped_on_one_thread_or_many() {
    for (game, players) in every_table() {
        let bots = vec![Bot::Random; players as usize];
        let mut in_place = Arena::new(&game, players);
        let on_the_spot = simulate::play(&mut in_place, &bots, 17).expect("sound rules");
        let mut stopped = Arena::new(&game, players);
        stopped.played().table.events = Some(Vec::new());
        let asked = simulate::play(&mut stopped, &bots, 17).expect("sound rules");
        assert!(stopped.played().table.events.is_some(), "somebody watched");
        let name = &game.definition.id;
        assert_eq!(on_the_spot, asked, "{name} with {players}");
        let seen = |arena: &mut Arena| view::view(&arena.played().table, None, Language::En);
        assert_eq!(
            seen(&mut in_place),
            seen(&mut stopped),
            "{name} with {players}"
        );
        let rows = |jobs: usize| {
            let plan = simulate::Plan {
                jobs,
                ..simulate::Plan::new(players, bots.clone(), 17, 6)
            };
            simulate::simulate(&game, &plan, &Default::default(), |_| {}).expect("sound rules")
        };
        let alone = rows(1);
        assert_eq!(alone, rows(2), "{name} with {players}: two threads");
        assert_eq!(alone, rows(5), "{name} with {players}: five threads");
    }
}

/// A thousand random games end, spread over all games and player counts. `LUDOTECA_GAMES` says how many of each instead.
#[test]
fn random_games_end() {
    let tables = every_table();
    let games: u64 = std::env::var("LUDOTECA_GAMES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1000u64.div_ceil(tables.len() as u64));
    for (game, players) in tables {
        let bots = vec![Bot::Random; players as usize];
        let plan = simulate::Plan::new(players, bots, 100, games);
        let records = simulate::simulate(&game, &plan, &Default::default(), |_| {})
            .unwrap_or_else(|broken| panic!("{} with {players}: {broken}", game.definition.id));
        assert_eq!(records.len() as u64, games);
        assert!(
            records.iter().all(|record| !record.reason.is_empty()),
            "{}: every game ends for a reason",
            game.definition.id
        );
    }
}

/// Lets bots answer until so many answers are written down.
fn play_on(played: &mut Match, bots: &[Bot], written: &mut Transcript, most: usize) {
    let mut drivers: Vec<Driver> = (0..)
        .zip(bots)
        .map(|(seat, &bot)| bot.driver(seat, written.seed))
        .collect();
    played.table.events = Some(Vec::new());
    while written.lines.len() < most && played.advance().unwrap() == Status::Asking {
        let seat = played.choice().and_then(|choice| choice.waiting()).unwrap();
        let picked = drivers[seat as usize].pick(played).unwrap();
        played.answer(seat, &picked).unwrap();
        let events = played.table.events.replace(Vec::new()).unwrap();
        written.note(&played.table, &events);
    }
}

/// Cut after any answer, saved, loaded and played on, a match is the one that was never cut, bots included.
#[test]
fn a_match_that_was_cut_goes_on_as_if_it_had_not_been() {
    for (game, players) in every_table() {
        let random = vec![Bot::Random; players as usize];
        let mixed: Vec<Bot> = (0..players)
            .map(|seat| Bot::ALL[(2 + seat as usize) % Bot::ALL.len()])
            .collect();
        for (bots, answers) in [(random, 600), (mixed, 60)] {
            let mut whole = Transcript::new(&game, players, 17);
            let mut played = Match::new(game.clone(), players, 17);
            play_on(&mut played, &bots, &mut whole, answers);
            cut_everywhere(&game, &bots, &whole);
        }
    }
}

fn cut_everywhere(game: &Arc<Game>, bots: &[Bot], whole: &Transcript) {
    let name = &game.definition.id;
    let mut followed = Match::new(game.clone(), whole.players, whole.seed);
    let mut fork = Match::empty(game.clone(), whole.players, 0);
    for cut in 0..whole.lines.len() {
        let mut written = whole.clone();
        written.lines.truncate(cut);
        // From every cut the next answer, by bots that have just sat down, at the match itself and at a copy of it.
        followed.advance().unwrap();
        fork.restore(&followed.position());
        let mut copied = written.clone();
        play_on(&mut fork, bots, &mut copied, cut + 1);
        assert_eq!(
            copied.lines[cut], whole.lines[cut],
            "{name}: a copy after {cut} answers"
        );
        whole.answer(&mut followed, cut).unwrap();
        // From some, everything: through the text that is on disk, from the beginning.
        if cut % (whole.lines.len() / 3).max(1) == 1 {
            let mut loaded = Transcript::parse(&written.to_string()).unwrap();
            let (mut played, status) = loaded.replay(game.clone(), false, false);
            assert_eq!(status.unwrap(), Status::Asking);
            play_on(&mut played, bots, &mut loaded, whole.lines.len());
            assert_eq!(loaded, *whole, "{name}: cut after {cut} answers");
        }
    }
}
