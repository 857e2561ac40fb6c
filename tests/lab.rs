//! The lab on every game: what it writes can be read again, looking closely changes nothing, and what it counts is there.

use ludoteca::{Bot, Game, Stream, limits};
use ludoteca_lab::columns::columns;
use ludoteca_lab::record::{Header, Record};
use ludoteca_lab::results::{Format, Results, ResultsReader};
use ludoteca_lab::simulate::{Plan, simulate};
use ludoteca_lab::summary::Summary;
use ludoteca_tests::games;
use std::fs::File;
use std::sync::Arc;

fn played(game: &Arc<Game>, plan: &Plan) -> Vec<Record> {
    simulate(game, plan, &Default::default(), |_| {})
        .unwrap_or_else(|broken| panic!("{}: {broken}", game.definition.id))
}

fn plan(game: &Game, close: u64) -> Plan {
    let players = game.definition.players.0;
    let bots = vec![Bot::Random; players as usize];
    Plan {
        close,
        ..Plan::new(players, bots, u64::MAX - 1, 4)
    }
}

/// Seeds beyond what a signed number holds, records looked at closely and not: all come back as they were.
#[test]
fn rows_come_back_from_disk_as_they_were() {
    for game in games() {
        let plan = plan(&game, 2);
        let records = played(&game, &plan);
        let header = Header::new(&game, &plan);
        for (format, ending) in [(Format::Parquet, "parquet"), (Format::Csv, "csv")] {
            let name = format!(
                "ludoteca-{}-{}.{ending}",
                game.definition.id,
                std::process::id()
            );
            let path = std::env::temp_dir().join(name);
            let mut results = Results::new(format, &header, File::create(&path).unwrap()).unwrap();
            records
                .iter()
                .for_each(|record| results.write(record).unwrap());
            results.finish().unwrap();
            let table = ResultsReader::open(File::open(&path).unwrap()).unwrap();
            assert_eq!(table.header, header);
            let mut read = Vec::new();
            table.records(|record| read.push(record)).unwrap();
            assert_eq!(read, records, "{} as {ending}", game.definition.id);
            std::fs::remove_file(path).unwrap();
        }
    }
}

/// A column's name is used once: a game must not declare a metric called `rounds`.
#[test]
fn columns_have_names_of_their_own() {
    for game in games() {
        let names = columns(&Header::new(&game, &plan(&game, 0)));
        let mut names: Vec<String> = names.into_iter().map(|column| column.name).collect();
        names.sort();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "{}", game.definition.id);
    }
}

#[test]
fn looking_closely_changes_no_game() {
    for game in games() {
        let close = played(&game, &plan(&game, 1));
        let mut plain = played(&game, &plan(&game, 0));
        for (plain, close) in plain.iter_mut().zip(&close) {
            assert!(plain.close.is_none() && close.close.is_some());
            plain.close.clone_from(&close.close);
        }
        assert_eq!(plain, close, "{}", game.definition.id);
    }
}

/// Whatever was taken had been offered; whoever leads sits at the table; steps are counted once.
#[test]
fn a_close_look_adds_up() {
    for game in games() {
        for record in played(&game, &plan(&game, 1)) {
            let close = record.close.unwrap();
            for seen in &close.uses {
                assert!(
                    seen.count.taken <= seen.count.offered,
                    "{}",
                    game.definition.id
                );
                assert!((seen.seat as usize) < record.scores.len());
            }
            for step in &close.steps {
                assert!(step.idle <= step.times, "{}: {step:?}", game.definition.id);
            }
            let leaders = close.leaders.iter().flatten();
            assert!(
                leaders
                    .into_iter()
                    .all(|&seat| (seat as usize) < record.scores.len())
            );
        }
    }
}

/// Every seat's wins add up to the games, and every extreme names a game of the run.
#[test]
fn findings_add_up() {
    for game in games() {
        let plan = plan(&game, 1);
        let mut summary = Summary::new(Header::new(&game, &plan));
        played(&game, &plan)
            .iter()
            .for_each(|record| summary.add(record));
        let found = summary.findings();
        let wins: f64 = found.wins.iter().map(|wins| wins.value).sum();
        assert!((wins - 1.0).abs() < 1e-9, "{}: {wins}", game.definition.id);
        assert_eq!(found.lengths.values().sum::<u64>(), plan.games);
        for finding in &found.measures {
            for extreme in [finding.least, finding.most].into_iter().flatten() {
                assert!(
                    extreme.game < plan.games,
                    "{}: {}",
                    game.definition.id,
                    finding.name
                );
            }
        }
    }
}

/// Cuts, repeats and flips, a few times.
fn spoil(bytes: &[u8], luck: &mut Stream) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=luck.below(4) {
        let at = luck.below(bytes.len() as u32 + 1) as usize;
        let end = (at + luck.below(24) as usize).min(bytes.len());
        match luck.below(4) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                let to = luck.below(bytes.len() as u32 + 1) as usize;
                drop(bytes.splice(to..to, piece));
            }
            2 => bytes.truncate(bytes.len() - luck.below(bytes.len() as u32 / 4 + 1) as usize),
            _ if at < bytes.len() => bytes[at] = luck.below(256) as u8,
            _ => {}
        }
    }
    bytes
}

/// Somebody else's table is hostile work too: whatever is in it, it is read or refused in a sentence.
#[test]
fn damaged_tables_are_read_or_refused() {
    let rounds = std::env::var("LUDOTECA_FUZZ").ok();
    let rounds = rounds.and_then(|n| n.parse().ok()).unwrap_or(400);
    let game = games().into_iter().next().unwrap();
    let plan = plan(&game, 2);
    let (records, header) = (played(&game, &plan), Header::new(&game, &plan));
    let mut luck = Stream::new(18, "tables");
    for (format, ending) in [(Format::Parquet, "parquet"), (Format::Csv, "csv")] {
        let name = format!("ludoteca-spoilt-{}.{ending}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut results = Results::new(format, &header, File::create(&path).unwrap()).unwrap();
        let written = records.iter().map(|record| results.write(record));
        assert!(written.into_iter().all(|result| result.is_ok()));
        results.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for round in 0..rounds {
            std::fs::write(&path, spoil(&whole, &mut luck)).unwrap();
            let read = ResultsReader::open(File::open(&path).unwrap())
                .and_then(|table| table.records(|_| {}));
            if let Err(error) = read {
                let said = error.to_string();
                assert!(
                    !said.is_empty() && said.len() < 2_000,
                    "round {round}: {said}"
                );
                refused += 1;
            }
        }
        assert!(refused > 0, "{ending}: the damage is seen");
        std::fs::remove_file(path).unwrap();
    }
}

/// A match in a long run has its share of the run's budget, whatever the others use.
#[test]
fn a_run_has_a_budget() {
    let plan = |games| Plan::new(2, vec![Bot::Random; 2], 1, games);
    assert_eq!(plan(1).operations(), limits::OPERATIONS_IN_A_SHORT_RUN);
    assert_eq!(
        plan(2_000).operations(),
        limits::OPERATIONS_OF_A_RUN / 2_000
    );
    assert_eq!(plan(u64::MAX).operations(), limits::OPERATIONS_IN_A_RUN);
}
