//! Many matches at one server: two windows and a bot at each, everybody answers, and the second window says how long it took until it saw
//! what the first had answered. Others may be stored besides, at which nobody sits. `bench/load` starts the server and runs this.

use serde_json::{Value as Json, json};
use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

/// What is wanted, from the command line.
struct Plan {
    address: String,
    game: String,
    matches: usize,
    /// Matches that are on disk besides, each some answers old.
    stored: usize,
    seconds: u64,
    /// How long a window thinks before it answers.
    pause: Duration,
    /// The server, to say how much memory it uses.
    server: Option<u32>,
}

/// What is counted while it goes on.
#[derive(Default)]
struct Tally {
    answers: AtomicU64,
    moments: AtomicU64,
    bytes: AtomicU64,
    refused: AtomicU64,
    lost: AtomicU64,
    over: AtomicBool,
    waits: Mutex<Vec<Duration>>,
}

/// When a seat of a match last answered.
type Answered = Arc<Mutex<Option<Instant>>>;

fn main() -> ExitCode {
    let plan = match plan() {
        Ok(plan) => plan,
        Err(why) => {
            eprintln!("error: {why}");
            return ExitCode::from(2);
        }
    };
    match run(&plan) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(1)
        }
    }
}

fn plan() -> Result<Plan, String> {
    let mut plan = Plan {
        address: "127.0.0.1:7878".into(),
        game: String::new(),
        matches: 200,
        stored: 0,
        seconds: 20,
        pause: Duration::from_millis(2000),
        server: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("`{word}` needs a value"))?;
        let number = || {
            value
                .parse::<u64>()
                .map_err(|_| format!("`{word} {value}`: expected a number"))
        };
        match word.as_str() {
            "--address" => plan.address = value,
            "--game" => plan.game = value,
            "--matches" => plan.matches = number()? as usize,
            "--stored" => plan.stored = number()? as usize,
            "--seconds" => plan.seconds = number()?,
            "--pause" => plan.pause = Duration::from_millis(number()?),
            "--server" => plan.server = Some(number()? as u32),
            _ => return Err(format!("unknown option `{word}`")),
        }
    }
    if plan.game.is_empty() {
        return Err("which game? `--game NAME`".into());
    }
    Ok(plan)
}

fn run(plan: &Plan) -> Result<(), String> {
    let stored = store(plan)?;
    let tally = Arc::new(Tally::default());
    let mut windows = Vec::new();
    for number in 0..plan.matches {
        let wish = json!({ "game": plan.game, "seats": ["me", "link", "greedy"], "seed": number.to_string(), "undo": "none" });
        let made = post(&plan.address, "/api/matches", &wish)?;
        let answered = Answered::default();
        for (seat, key) in [(0, &made["keys"]["me"]), (1, &made["keys"]["seats"][1])] {
            let key = key.as_str().ok_or(format!("no match: {made}"))?.to_string();
            let window = Window {
                address: plan.address.clone(),
                key,
                seat,
                // Windows do not answer in step.
                pause: plan.pause + Duration::from_millis((number as u64 * 37) % 400),
                answered: answered.clone(),
                tally: tally.clone(),
            };
            let thread = std::thread::Builder::new().stack_size(256 << 10);
            windows.push(
                thread
                    .spawn(move || window.live())
                    .map_err(|error| error.to_string())?,
            );
        }
    }
    std::thread::sleep(Duration::from_secs(2));
    let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
    let before = [
        count(&tally.answers),
        count(&tally.moments),
        count(&tally.bytes),
    ];
    tally.waits.lock().map_err(|_| "a window broke")?.clear();
    let used = plan.server.map(cpu_of);
    std::thread::sleep(Duration::from_secs(plan.seconds));
    let mut waits = std::mem::take(&mut *tally.waits.lock().map_err(|_| "a window broke")?);
    waits.sort();
    let at = |share: f64| {
        let place = (waits.len() as f64 * share) as usize;
        waits
            .get(place.min(waits.len().saturating_sub(1)))
            .map(|wait| wait.as_secs_f64() * 1000.0)
    };
    let rate = |now: u64, then: u64| (now - then) as f64 / plan.seconds as f64;
    println!(
        "{:#}",
        json!({
            "game": plan.game, "matches": plan.matches, "windows": windows.len(), "seconds": plan.seconds,
            "answers_a_second": rate(count(&tally.answers), before[0]),
            "moments_a_second": rate(count(&tally.moments), before[1]),
            "kilobytes_a_second": rate(count(&tally.bytes), before[2]) / 1000.0,
            "measured": waits.len(), "median_ms": at(0.5), "p99_ms": at(0.99), "worst_ms": at(1.0),
            "refused": count(&tally.refused), "lost_windows": count(&tally.lost),
            "server_cpu_cores": plan.server.zip(used).map(|(id, used)| (cpu_of(id) - used) / plan.seconds as f64),
            "server_memory_mb": plan.server.map(memory_of), "stored": stored,
        })
    );
    tally.over.store(true, Ordering::Relaxed);
    // Windows end with the process: they wait for words that do not come any more.
    Ok(())
}

/// Answers of a stored match.
const OLD: usize = 30;
/// Stored matches that are opened again, to see how long that takes.
const OPENED: usize = 100;
/// A server puts tables away at which nobody sits once a minute.
const PUT_AWAY: Duration = Duration::from_secs(75);

/// Makes the stored matches: one is played for a while, downloaded, and loaded as often as wanted. Then some are opened again.
fn store(plan: &Plan) -> Result<Json, String> {
    if plan.stored == 0 {
        return Ok(Json::Null);
    }
    let seats = ["me", "greedy", "greedy"];
    let made = post(
        &plan.address,
        "/api/matches",
        &json!({ "game": plan.game, "seats": seats, "seed": "1" }),
    )?;
    let key = made["keys"]["me"]
        .as_str()
        .ok_or(format!("no match: {made}"))?;
    let window = Window {
        address: plan.address.clone(),
        key: key.to_string(),
        seat: 0,
        pause: Duration::ZERO,
        answered: Answered::default(),
        tally: Arc::default(),
    };
    window
        .talk(Some(OLD))
        .ok_or("the match to be stored ended")?;
    let bearer = format!("Authorization: Bearer {key}\r\n");
    let transcript = request(&plan.address, "GET", "/api/transcript", &bearer, "")?;
    let wish = json!({ "seats": seats, "transcript": transcript }).to_string();
    let begun = Instant::now();
    let mut keys = Vec::new();
    for _ in 0..plan.stored {
        let made = request(&plan.address, "POST", "/api/matches", "", &wish)?;
        let made: Json = serde_json::from_str(&made).map_err(|error| error.to_string())?;
        let key = made["keys"]["me"]
            .as_str()
            .ok_or(format!("no match: {made}"))?;
        keys.push(key.to_string());
    }
    let seconds = begun.elapsed().as_secs_f64();
    std::thread::sleep(PUT_AWAY);
    let put_away = plan.server.map(memory_of);
    let step = (keys.len() / OPENED).max(1);
    let mut waits = Vec::new();
    for key in keys.into_iter().step_by(step) {
        let begun = Instant::now();
        let window = Window {
            key,
            tally: Arc::default(),
            answered: Answered::default(),
            address: plan.address.clone(),
            ..window
        };
        window.talk(Some(0)).ok_or("a stored match does not open")?;
        waits.push(begun.elapsed());
    }
    waits.sort();
    let at = |place: usize| waits.get(place).map(|wait| wait.as_secs_f64() * 1000.0);
    Ok(json!({
        "matches": plan.stored, "made_a_second": plan.stored as f64 / seconds, "memory_mb": put_away,
        "opened": waits.len(), "opened_median_ms": at(waits.len() / 2), "opened_worst_ms": at(waits.len().saturating_sub(1)),
    }))
}

/// Megabytes a process has in memory.
fn memory_of(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| {
        line.trim()
            .trim_end_matches(" kB")
            .trim()
            .parse::<u64>()
            .ok()
    });
    kilobytes.unwrap_or(0) / 1024
}

/// Seconds of processor time a process has used.
fn cpu_of(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
    let ticks = |at: usize| {
        fields
            .get(at)
            .and_then(|field| field.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    (ticks(11) + ticks(12)) / 100.0
}

fn post(address: &str, path: &str, body: &Json) -> Result<Json, String> {
    let answer = request(address, "POST", path, "", &body.to_string())?;
    serde_json::from_str(&answer).map_err(|error| format!("{error} in {answer}"))
}

/// The body of an answer.
fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{address}: {error}");
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("half an answer")?;
    Ok(body.to_string())
}

/// One window: it reads everything, and answers what it is asked.
struct Window {
    address: String,
    key: String,
    seat: u64,
    pause: Duration,
    answered: Answered,
    tally: Arc<Tally>,
}

impl Window {
    fn live(&self) {
        if self.talk(None).is_none() && !self.tally.over.load(Ordering::Relaxed) {
            self.tally.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Answers without end, or until so many answers were given and the next question is there.
    fn talk(&self, most: Option<usize>) -> Option<()> {
        let place = self.address.to_socket_addrs().ok()?.next()?;
        let stream = TcpStream::connect(place).ok()?;
        stream.set_nodelay(true).ok()?;
        let small = WebSocketConfig::default()
            .read_buffer_size(4 << 10)
            .write_buffer_size(0);
        let url = format!("ws://{}/api/socket", self.address);
        let (mut socket, _) =
            tungstenite::client::client_with_config(url, stream, Some(small)).ok()?;
        socket
            .send(Message::text(
                json!({ "type": "hello", "key": self.key, "lang": "en" }).to_string(),
            ))
            .ok()?;
        let mut asked = None;
        loop {
            let given = self.tally.answers.load(Ordering::Relaxed) as usize;
            let Message::Text(text) = socket.read().ok()? else {
                continue;
            };
            let heard = Instant::now();
            self.tally
                .bytes
                .fetch_add(text.len() as u64, Ordering::Relaxed);
            let told: Json = serde_json::from_str(&text).ok()?;
            if most.is_some_and(|most| given >= most) && told["offers"].get(0).is_some() {
                return Some(());
            }
            match told["type"].as_str()? {
                "moment" => {
                    self.tally.moments.fetch_add(1, Ordering::Relaxed);
                    self.note_wait(&told, heard);
                    self.answer(&mut socket, &told["offers"], &mut asked)?;
                }
                "state" => self.answer(&mut socket, &told["offers"], &mut asked)?,
                "error" => drop(self.tally.refused.fetch_add(1, Ordering::Relaxed)),
                _ => {}
            }
        }
    }

    /// How long it took until this window was told of the other's answer.
    fn note_wait(&self, told: &Json, heard: Instant) {
        let of_other = |event: &Json| {
            event["event"] == "chosen"
                && event["seat"]
                    .as_u64()
                    .is_some_and(|seat| seat < 2 && seat != self.seat)
        };
        if told["events"]
            .as_array()
            .is_some_and(|events| events.iter().any(of_other))
            && let Ok(mut answered) = self.answered.lock()
            && let Some(since) = answered.take()
            && let Ok(mut waits) = self.tally.waits.lock()
        {
            waits.push(heard.duration_since(since));
        }
    }

    fn answer(
        &self,
        socket: &mut WebSocket<TcpStream>,
        offers: &Json,
        asked: &mut Option<Json>,
    ) -> Option<()> {
        let Some(offer) = offers
            .get(0)
            .filter(|offer| asked.as_ref() != Some(&offer["ask"]))
        else {
            return Some(());
        };
        *asked = Some(offer["ask"].clone());
        std::thread::sleep(self.pause);
        let options = offer["options"].as_array()?;
        let wanted = offer["min"].as_u64()?.max(1) as usize;
        let first = self.tally.answers.fetch_add(1, Ordering::Relaxed) as usize;
        let keys: Vec<&Json> = (0..wanted.min(options.len()))
            .map(|more| &options[(first + more) % options.len()]["key"])
            .collect();
        *self.answered.lock().ok()? = Some(Instant::now());
        let answer =
            json!({ "type": "choose", "ask": offer["ask"], "seat": offer["seat"], "keys": keys });
        socket.send(Message::text(answer.to_string())).ok()
    }
}
