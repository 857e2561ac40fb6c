use ludoteca::content::diagnostic::render_all;
use ludoteca::content::library::{Library, Selection};
use ludoteca::content::pack::PackSource;
use ludoteca::content::source::Folder;
use ludoteca::model::luck::Luck;
use ludoteca::play::matches::Match;
use ludoteca::play::perft::Perft;
use ludoteca::script::load;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (library, problems) = Library::open(&[PackSource::new(
        "classics",
        Folder::new("examples/classics"),
    )]);
    if !problems.is_empty() {
        println!("{}", render_all(&problems, false));
    }
    let mut selection = Selection::default();
    for pair in args[3..].iter().filter_map(|a| a.strip_prefix("--set=")) {
        let (k, v) = pair.split_once('=').unwrap();
        selection.set.push((k.into(), v.into()));
    }
    let game = match load::load(&library, &args[1], &selection) {
        Ok(g) => g,
        Err(p) => {
            println!("{}", render_all(&p, false));
            return;
        }
    };
    let n: usize = args[2].parse().unwrap();
    if args.iter().any(|a| a == "sim") {
        let begun = Instant::now();
        let players = game.definition.players.0;
        let mut decisions = 0;
        let mut wins = vec![0; players as usize + 1];
        let mut rounds = 0;
        let mut reasons = std::collections::BTreeMap::new();
        let mut m = Match::new(game.clone(), players, 1);
        for i in 0..n {
            if i > 0 {
                m.restart(i as u64);
            }
            for s in 0..players {
                m.seat_random(s, Luck::new(s, i as u64));
            }
            if let Err(e) = m.advance() {
                println!("game {i}: {e}");
                return;
            }
            decisions += m.table.state.tally.decisions;
            rounds += m.table.state.round;
            *reasons
                .entry(format!(
                    "{:?}",
                    m.table.state.end.as_ref().map(|e| match e {
                        ludoteca::model::state::End::Rules { reason, .. } =>
                            reason.map(|r| m.table.game.lexicon.reasons[r as usize].clone()),
                        _ => Some("limit".into()),
                    })
                ))
                .or_insert(0) += 1;
            let r = m.ranking().unwrap();
            let first: Vec<_> = r.iter().filter(|p| p.place == 1).collect();
            if first.len() == 1 {
                wins[first[0].seat as usize] += 1
            } else {
                wins[players as usize] += 1
            }
        }
        let s = begun.elapsed().as_secs_f64();
        println!(
            "{n} games {:.2}s {:.0}/s decisions {} rounds {} wins {:?} {:?}",
            s,
            n as f64 / s,
            decisions / n as u64,
            rounds as usize / n,
            wins,
            reasons
        );
        return;
    }
    let mut m = Match::new(game.clone(), game.definition.players.0, 1);
    if let Some(fen) = args.iter().find_map(|a| a.strip_prefix("fen=")) {
        println!("{:?}", m.read_position(fen));
    }
    let begun = Instant::now();
    let divide = args.iter().any(|a| a == "divide");
    match Perft::new(&mut m, n).count(divide) {
        Ok(c) => {
            for (k, v) in &c.divided {
                println!("{k} {v}");
            }
            println!(
                "{:?} {:.2}s {:.0}/s",
                c.by_depth,
                begun.elapsed().as_secs_f64(),
                *c.by_depth.last().unwrap() as f64 / begun.elapsed().as_secs_f64()
            )
        }
        Err(e) => println!("{e}"),
    }
}
