//! Against the base: the same games on both sides, played while somebody edits, until every measure is settled or enough were played.

use super::places::selected;
use super::verdict::verdict;
use super::{Side, Workbench};
use crate::house::House;
use crate::kernel::{Bot, Library};
use crate::refusal::Refusal;
use crate::shelf::locked;
use ludoteca_lab::compare::{Comparison, Difference, Verdict, compare};
use ludoteca_lab::record::Header;
use ludoteca_lab::runner::{Next, RunEnd};
use ludoteca_lab::simulate::{BrokenGame, Plan, transcribe};
use serde_json::{Value as Json, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Pairs of games at most.
const MOST: u64 = 2000;
/// And at least.
const FEWEST: u64 = 100;
/// The first games' seed: the same for every edit, so that edits are compared on the same luck.
const SEED: u64 = 1;
/// Somebody who types gets this long to finish.
const SETTLE: Duration = Duration::from_millis(350);
/// The page hears of it about this often.
const TOLD_EVERY: Duration = Duration::from_millis(400);
/// The difference, as a part of the whole, that is to be seen or ruled out.
const SIZE: f64 = 0.05;

/// What is to be compared, and by whom.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonWish {
    pub game: String,
    pub variant: String,
    pub on: bool,
    pub bots: String,
    pub players: Option<u8>,
}

impl ComparisonWish {
    /// What is told of it before anything was played.
    fn about(&self, status: &str) -> Json {
        json!({ "status": status, "game": self.game, "variant": self.variant, "rows": [] })
    }
}

pub struct Comparing {
    now: Mutex<Run>,
    told: watch::Sender<u64>,
}

impl Default for Comparing {
    fn default() -> Comparing {
        Comparing {
            now: Mutex::default(),
            told: watch::channel(1).0,
        }
    }
}

/// The comparison that goes on, or the last one.
#[derive(Default)]
struct Run {
    number: u64,
    wish: Option<(ComparisonWish, Arc<House>)>,
    stop: Arc<AtomicBool>,
    told: Option<Json>,
    /// What was compared, for whoever wants to see one of its games.
    sides: Option<[Side; 2]>,
    plan: Option<Plan>,
    /// The variant of the second side.
    variant: String,
    kept: Option<Kept>,
}

/// What was counted so far: whoever compares the same again goes on from there.
struct Kept {
    of: Compared,
    counted: Arc<Mutex<Comparison>>,
}

/// What makes two comparisons the same.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Compared {
    sides: [u64; 2],
    bots: String,
    players: u8,
}

impl Run {
    /// What was counted of these sides before, or nothing yet.
    fn counted(
        &mut self,
        of: Compared,
        anew: impl FnOnce() -> Comparison,
    ) -> Arc<Mutex<Comparison>> {
        match &self.kept {
            Some(kept) if kept.of == of => kept.counted.clone(),
            _ => {
                let counted = Arc::new(Mutex::new(anew()));
                self.kept = Some(Kept {
                    of,
                    counted: counted.clone(),
                });
                counted
            }
        }
    }
}

impl Comparing {
    pub async fn wait(&self, since: u64, patience: Duration) {
        let mut seen = self.told.subscribe();
        let newer = seen.wait_for(|count| *count > since);
        let _ = tokio::time::timeout(patience, newer).await;
    }

    pub fn told(&self) -> Json {
        let rev = *self.told.borrow();
        let run = locked(&self.now);
        let mut told = run
            .told
            .clone()
            .unwrap_or_else(|| json!({ "status": "none" }));
        told["rev"] = json!(rev);
        told
    }

    /// Tells something of a run, unless another has taken its place.
    fn tell(&self, number: u64, tell: impl FnOnce(&mut Run)) {
        let mut run = locked(&self.now);
        if run.number != number {
            return;
        }
        tell(&mut run);
        drop(run);
        self.told.send_modify(|count| *count += 1);
    }

    /// A game of the comparison as a transcript, with who sat where and the packs it was played with.
    pub fn transcribed(
        &self,
        side: usize,
        number: u64,
    ) -> Result<(String, Vec<String>, Arc<Library>), Refusal> {
        let run = locked(&self.now);
        let sides = run
            .sides
            .as_ref()
            .and_then(|sides| sides.get(side))
            .cloned();
        let (Some((game, library)), Some(plan)) = (sides, run.plan.clone()) else {
            return Err(Refusal::new(
                "not-found",
                "Esa partida no se ha jugado.",
                "That game was not played.",
            ));
        };
        let variant = run.variant.clone();
        drop(run);
        let bots = plan.bots_of(number);
        let played = transcribe(&game, plan.players, &bots, plan.seed_of(number));
        let (_, mut transcript) = played
            .map_err(|broken| Refusal::new("broken", broken.to_string(), broken.to_string()))?;
        if side == 1 {
            transcript.variants = selected(&variant).variants;
        }
        let seats = bots.iter().map(|bot| bot.name()).collect();
        Ok((transcript.to_string(), seats, library))
    }
}

/// Begins a comparison, or stops the one there is.
pub fn begin(bench: &Arc<Workbench>, house: &Arc<House>, wish: ComparisonWish) {
    let mut run = locked(&bench.against.now);
    run.stop.store(true, Ordering::Relaxed);
    run.number += 1;
    run.stop = Arc::default();
    let on = wish.on;
    run.wish = Some((wish.clone(), house.clone()));
    // What kept the last one from going on may be mended by now.
    if let Some(told) = run.told.as_mut().and_then(Json::as_object_mut) {
        told.remove("text");
    }
    if !on {
        if let Some(told) = &mut run.told {
            told["status"] = json!("stopped");
        }
        drop(run);
        bench.against.told.send_modify(|count| *count += 1);
        return;
    }
    let (number, stop) = (run.number, run.stop.clone());
    match &mut run.told {
        Some(told) if told["game"] == wish.game && told["variant"] == wish.variant => {
            told["stale"] = json!(true);
        }
        told => *told = Some(wish.about("waiting")),
    }
    drop(run);
    bench.against.told.send_modify(|count| *count += 1);
    let (held, house) = (bench.clone(), house.clone());
    let wanted = wish.clone();
    let started = std::thread::Builder::new()
        .name("against".into())
        .spawn(move || {
            std::thread::sleep(SETTLE);
            if !stop.load(Ordering::Relaxed) {
                work(&held, &house, number, &wanted, &stop);
            }
        });
    if started.is_err() {
        let text = json!({ "es": "No quedan hilos.", "en": "There are no threads left." });
        let mut told = wish.about("broken");
        told["text"] = text;
        bench.against.tell(number, |run| run.told = Some(told));
    }
}

/// Something was written: what is compared is another now.
pub fn again(bench: &Arc<Workbench>) {
    let wish = locked(&bench.against.now).wish.clone();
    if let Some((wish, house)) = wish.filter(|(wish, _)| wish.on) {
        begin(bench, &house, wish);
    }
}

fn work(
    bench: &Arc<Workbench>,
    house: &Arc<House>,
    number: u64,
    wish: &ComparisonWish,
    stop: &AtomicBool,
) {
    let against = &bench.against;
    let waits = |text: Json| {
        against.tell(number, |run| {
            let told = run.told.take();
            let mut told = told.unwrap_or_else(|| wish.about("waiting"));
            told["status"] = json!("waiting");
            told["text"] = text;
            told["stale"] = json!(true);
            run.told = Some(told);
        });
    };
    let sides = match bench.sides(house, &wish.game, &wish.variant) {
        Ok(sides) => sides,
        Err(refusal) => return waits(json!({ "es": refusal.es, "en": refusal.en })),
    };
    if sides[0].0.definition.hash == sides[1].0.definition.hash {
        let text =
            json!({ "es": "Nada ha cambiado todavía.", "en": "Nothing has been changed yet." });
        let mut told = wish.about("same");
        told["text"] = text;
        return against.tell(number, |run| run.told = Some(told));
    }
    let bot: Bot = wish.bots.parse().unwrap_or(Bot::Random);
    let (fewest, most) = sides[1].0.definition.players;
    let players = wish.players.unwrap_or(fewest).clamp(fewest, most);
    let mut plan = Plan::new(players, vec![bot; usize::from(players)], SEED, MOST);
    plan.close = plan.usual_close();
    // One core stays for whoever edits.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    plan.jobs = cores.saturating_sub(1).max(1);
    let headers = [0, 1].map(|side| Header::new(&sides[side].0, &plan));
    let of = Compared {
        sides: [0, 1].map(|side| sides[side].0.definition.hash),
        bots: wish.bots.clone(),
        players,
    };
    let mut run = locked(&against.now);
    if run.number != number {
        return;
    }
    run.sides = Some(sides.clone());
    run.plan = Some(plan.clone());
    run.variant = wish.variant.clone();
    let counted = run.counted(of, || Comparison::new(headers, None));
    drop(run);
    play_on(against, number, wish, stop, &sides, plan, &counted);
}

/// Plays until every measure is settled, enough were played, or somebody stops it; what was counted before is told at once.
fn play_on(
    against: &Comparing,
    number: u64,
    wish: &ComparisonWish,
    stop: &AtomicBool,
    sides: &[Side; 2],
    mut plan: Plan,
    counted: &Mutex<Comparison>,
) {
    let begun = Instant::now();
    let mut chunk = 4;
    let mut ended: Result<RunEnd, BrokenGame> = Ok(RunEnd::Done);
    loop {
        let started = Instant::now();
        // Whoever was stopped just now still holds it until their games are over.
        let mut comparison = locked(counted);
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let done = comparison.sides[0].games;
        if done > 0 || ended.is_err() {
            let found = comparison.differences(SIZE);
            let status = match &ended {
                Err(_) => "broken",
                Ok(_) if is_settled(&comparison, &found) => "settled",
                Ok(_) if done >= MOST => "done",
                Ok(_) => "running",
            };
            let mut told = told(&comparison, &found, status, wish, plan.players);
            told["seconds"] = json!(begun.elapsed().as_secs_f64());
            if let Err(broken) = &ended {
                told["text"] = json!({ "es": broken.to_string(), "en": broken.to_string() });
            }
            against.tell(number, |run| run.told = Some(told));
            if status != "running" {
                return;
            }
        }
        let telling = started.elapsed();
        plan.part = (done, (done + chunk).min(MOST));
        let started = Instant::now();
        ended = compare(
            [&sides[0].0, &sides[1].0],
            &plan,
            &mut comparison,
            stop,
            |_| (),
            |_, _| Next::GoOn,
        );
        let played = started.elapsed();
        // Working out the figures takes its time too: most of it is for playing.
        let wanted = TOLD_EVERY.max(telling * 3);
        let share = wanted.as_secs_f64() / played.as_secs_f64().max(0.001);
        chunk = ((chunk as f64 * share.clamp(0.25, 4.0)) as u64).clamp(1, 400);
    }
}

/// Whether every measure differs surely, or would have been seen to if it did by so much.
fn is_settled(comparison: &Comparison, found: &[Difference]) -> bool {
    let open = |one: &Difference| matches!(one.verdict, Verdict::Needs | Verdict::TooFew);
    comparison.sides[0].games >= FEWEST && !found.iter().any(open)
}

fn told(
    comparison: &Comparison,
    found: &[Difference],
    status: &str,
    wish: &ComparisonWish,
    players: u8,
) -> Json {
    let games = comparison.sides[0].games;
    let rows: Vec<Json> = found
        .iter()
        .map(|one| {
            json!({
                "name": one.name, "text": one.text, "share": one.share, "first": one.first, "second": one.second,
                "value": one.difference.value, "low": one.difference.low, "high": one.difference.high, "seen": one.seen,
                "needed": one.needed, "game": one.games.first(),
            })
        })
        .collect();
    json!({
        "status": status, "games": games, "of": MOST, "players": players, "bots": wish.bots, "game": wish.game, "variant": wish.variant,
        "verdict": verdict(found, games, status == "settled"), "rows": rows, "stale": false,
    })
}
