//! A server of its own for a test, windows that talk to it, and a small game of hidden cards.

use ludoteca::{Edited, Folder, Library, PackSource};
use ludoteca_serve::{Client, DoorRules, Editing, FileStamps, Options, Rates};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// Whoever waits longer for the server waits in vain.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why there is no next message if the server is there and says nothing.
pub const SILENCE: &str = "nothing more came";

/// Files of the test's own pack, which it may edit.
pub type Pack = Arc<Mutex<BTreeMap<String, String>>>;

/// `hush`: everybody has four hidden cards, so that there is something to choose in each of three rounds, and lays one down each round, unseen, all at once; dice are thrown in the last.
pub fn hush() -> Pack {
    let files = [
        (
            "scripts/hush/game.toml",
            r#"
version = "1.0.0"
title = { es = "Chito", en = "Hush" }
summary = { es = "Cartas que nadie ve.", en = "Cards that nobody sees." }
players = [2, 3]
round_limit = 3

[attributes.player]
points = { type = "int", text = { es = "Puntos", en = "Points" } }
guess = { type = "int", min = 0, max = 99, visible = "owner", text = { es = "Apuesta", en = "Guess" } }

[zones]
deck = { visible = "nobody", text = { es = "Mazo", en = "Deck" } }
hand = { of = "player", visible = "owner", text = { es = "Mano", en = "Hand" } }
laid = { of = "player", visible = "nobody", text = { es = "Puestas", en = "Laid" } }

[kinds.number]
fields = { worth = "int" }

[dice]
d6 = { text = { es = "Dado", en = "Die" } }

[parameters]
bonus = { value = 1, min = 0, max = 5, text = { es = "Premio", en = "Bonus" } }

[[phases]]
step = "walk"
each = "player"
text = { es = "Paso", en = "Walk" }

[[phases]]
step = "lay"
text = { es = "Poner", en = "Lay" }
"#,
        ),
        (
            "scripts/hush/rules.rhai",
            r#"
fn setup() {
    for card in cards("number") { for i in 0..card.copies { create(card, game.deck); } }
    shuffle(game.deck);
    for p in players() { draw(game.deck, p.hand, 4); }
}

fn walk(p) {
    p.points += choose_amount(p, "step", 0, BONUS);
    say("stepped", #{ player: p, points: p.points });
}

fn lay() {
    let seats = players();
    let laid = choose_together(seats, "lay", seats.map(|p| pieces(p.hand)));
    for i in 0..laid.len {
        seats[i].guess += laid[i].worth;
        move(laid[i], seats[i].laid);
    }
    say("all_laid", #{});
    if game.round == 3 { roll("d6", 1); end_game("quiet"); }
}

fn score(p) { p.points }
fn evaluate(p) { p.points }
"#,
        ),
        (
            "cards/hush/numbers.toml",
            r#"
kind = "number"
[cards.one]
name = { es = "Uno", en = "One" }
copies = 4
worth = 1
[cards.two]
name = { es = "Dos", en = "Two" }
copies = 4
worth = 2
[cards.three]
name = { es = "Tres", en = "Three" }
copies = 4
worth = 3
"#,
        ),
        (
            "cards/hush/text.toml",
            r#"
[prompt]
step = { es = "¿Cuánto avanzas?", en = "How far do you go?" }
lay = { es = "¿Qué carta pones?", en = "Which card do you lay?" }
[log]
stepped = { es = "{player} llega a {points}.", en = "{player} comes to {points}." }
all_laid = { es = "Todos han puesto una carta.", en = "Everybody has laid a card." }
[reason]
quiet = { es = "no quedan cartas", en = "no cards are left" }
"#,
        ),
        (
            "looks/hush/look.toml",
            "ground = \"felt\"\n[kinds.number]\nbig = \"worth\"\n",
        ),
    ];
    let owned = files.map(|(path, text)| (path.to_string(), text.to_string()));
    Arc::new(Mutex::new(owned.into_iter().collect()))
}

/// A server that runs until the test ends.
pub struct Server {
    pub address: SocketAddr,
    pub data: Arc<TempDir>,
    pub pack: Pack,
}

pub struct Wishes {
    pub rates: Rates,
    pub base_path: &'static str,
    pub watch: bool,
    /// A folder of its own that may be edited, in place of the pack in memory.
    pub edit: Option<PathBuf>,
}

/// What the tests edit with.
pub const TOKEN: &str = "0123456789abcdef0123456789abcdef";

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            rates: Rates::unlimited(),
            base_path: "",
            watch: false,
            edit: None,
        }
    }
}

impl Server {
    pub fn start() -> Server {
        Server::with(Wishes::default())
    }

    pub fn with(wishes: Wishes) -> Server {
        Server::on(Arc::new(TempDir::new().unwrap()), hush(), wishes)
    }

    /// Another one on the same data, or on a pack of one's own.
    pub fn on(data: Arc<TempDir>, pack: Pack, wishes: Wishes) -> Server {
        let (tell, hear) = mpsc::channel();
        let options = options(data.path(), &pack, &wishes);
        std::thread::spawn(move || {
            ludoteca_serve::serve(options, |address, _| tell.send(address).is_ok()).unwrap();
        });
        let address = hear
            .recv_timeout(3 * PATIENCE)
            .expect("the server says where it listens");
        Server {
            address,
            data,
            pack,
        }
    }

    pub fn post(&self, path: &str, body: &Json) -> (u16, Json) {
        let (status, _, text) = self.request("POST", path, &[], body.to_string().as_bytes());
        (status, serde_json::from_str(&text).unwrap_or(Json::Null))
    }

    pub fn get(&self, path: &str) -> (u16, Json) {
        let (status, _, text) = self.request("GET", path, &[], b"");
        (status, serde_json::from_str(&text).unwrap_or(Json::Null))
    }

    /// A request as it is written, and what comes back: status, headers, body.
    pub fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let host = match headers.iter().any(|(name, _)| *name == "Host") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.address),
        };
        let more: String = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{host}{more}Content-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        // A server that has heard enough may close before it has read all.
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body));
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        let body = match head.to_lowercase().contains("transfer-encoding: chunked") {
            true => body.split_once("\r\n").map_or("", |(_, rest)| rest),
            false => body,
        };
        (status.unwrap_or(0), head.to_string(), body.to_string())
    }

    /// A match of `hush`; its keys.
    pub fn hush(&self, seats: &[&str], more: Json) -> Json {
        let mut wanted = json!({ "game": "hush", "seats": seats, "seed": "7" });
        for (key, value) in more.as_object().unwrap() {
            wanted[key] = value.clone();
        }
        let (status, made) = self.post("/api/matches", &wanted);
        assert_eq!(status, 200, "{made}");
        made["keys"].clone()
    }

    pub fn window(&self, key: &Json) -> Window {
        self.window_in(key, "en")
    }

    pub fn window_in(&self, key: &Json, lang: &str) -> Window {
        let mut window = self.silent_window();
        window.send(json!({ "type": "hello", "key": key, "lang": lang }));
        window.until("state");
        window
    }

    pub fn silent_window(&self) -> Window {
        let url = format!("ws://{}/api/socket", self.address);
        let (socket, _) = tungstenite::connect(url).unwrap();
        Window {
            socket,
            state: Json::Null,
            stream: Vec::new(),
            ids: 0,
        }
    }
}

fn options(data: &Path, pack: &Pack, wishes: &Wishes) -> Options {
    let (opened, watched) = (pack.clone(), pack.clone());
    let stamp = move || {
        let files = watched.lock().unwrap();
        let stamped = files.iter().map(|(path, text)| {
            (
                path.clone(),
                (
                    SystemTime::UNIX_EPOCH,
                    text.len() as u64 + text.bytes().map(u64::from).sum::<u64>() * 1000,
                ),
            )
        });
        stamped.collect()
    };
    let files: Option<Box<FileStamps>> = match wishes.watch {
        true => Some(Box::new(stamp)),
        false => None,
    };
    let folder = wishes.edit.clone();
    let in_folder = |folder: &Path, texts: BTreeMap<String, String>| {
        let own = Edited::new(Arc::new(Folder::new(folder)), texts);
        Library::open(&[ludoteca_base::pack(), PackSource::new("own", own)]).0
    };
    let edit = folder.clone().map(|folder| Editing {
        folder: folder.clone(),
        open: Box::new(move |texts| Some(in_folder(&folder, texts))),
        token: TOKEN.into(),
    });
    Options {
        open: Box::new(move || {
            if let Some(folder) = &folder {
                return Some(in_folder(folder, BTreeMap::new()));
            }
            let files = opened.lock().unwrap();
            let own = files
                .iter()
                .map(|(path, text)| (path.as_str(), text.as_str()));
            let packs = [ludoteca_base::pack(), PackSource::memory("own", own)];
            Some(Library::open(&packs).0)
        }),
        left_out: Vec::new(),
        edit,
        data: data.to_path_buf(),
        address: "127.0.0.1:0".parse().unwrap(),
        client: Client::BuiltIn,
        manner: DoorRules {
            only_local: true,
            rates: wishes.rates,
            base_path: wishes.base_path.into(),
            ..DoorRules::default()
        },
        files,
    }
}

/// A window: what it was told, as it came and as it adds up.
pub struct Window {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    /// The last `state`, with all moments since.
    pub state: Json,
    /// Every message, as it came.
    pub stream: Vec<String>,
    ids: u64,
}

impl Window {
    pub fn send(&mut self, message: Json) {
        self.send_text(message.to_string());
    }

    pub fn send_text(&mut self, text: String) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The next message; the reason if there are no more.
    pub fn next(&mut self) -> Result<Json, String> {
        self.next_before(Instant::now() + PATIENCE)
    }

    /// The same, at most until a moment: the server's pulse does not make it longer.
    fn next_before(&mut self, deadline: Instant) -> Result<Json, String> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(SILENCE.into());
            }
            if let MaybeTlsStream::Plain(stream) = self.socket.get_ref() {
                stream.set_read_timeout(Some(left)).unwrap();
            }
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    self.stream.push(text.to_string());
                    let told: Json = serde_json::from_str(&text).unwrap();
                    self.note(&told);
                    return Ok(told);
                }
                Ok(Message::Close(Some(frame))) => return Err(u16::from(frame.code).to_string()),
                // Whether that was the limit is seen above.
                Err(tungstenite::Error::Io(error))
                    if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {}
                Ok(_) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// Listens until a message is the one; if it does not come, a sentence says what was waited for, and what came last.
    fn listen_for(&mut self, what: &str, is_it: impl Fn(&Json) -> bool) -> Json {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.next_before(deadline) {
                Ok(told) if is_it(&told) => return told,
                Ok(_) => {}
                Err(why) => {
                    let last = self.stream.last().map_or("nothing", String::as_str);
                    panic!(
                        "a window waited for {what} in vain ({why}); the last it heard was {last}"
                    );
                }
            }
        }
    }

    /// Listens until what it has been told adds up to something.
    pub fn wait_until(&mut self, what: &str, is_so: impl Fn(&Json) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(&self.state) {
            if let Err(why) = self.next_before(deadline) {
                panic!(
                    "a window waited until {what} in vain ({why}); it is at {} and is offered {}",
                    self.state["now"], self.state["offers"]
                );
            }
        }
    }

    fn note(&mut self, told: &Json) {
        match told["type"].as_str().unwrap() {
            "state" => self.state = told.clone(),
            "moment" => {
                apply(&mut self.state["view"], told["patch"].as_array().unwrap());
                for (key, value) in told.as_object().unwrap() {
                    if !["type", "patch", "events"].contains(&key.as_str()) {
                        self.state[key] = value.clone();
                    }
                }
            }
            "seats" => {
                self.state["seats"] = told["seats"].clone();
                self.state["undo"] = told["undo"].clone();
            }
            _ => {}
        }
    }

    /// The next message of a kind.
    pub fn until(&mut self, kind: &str) -> Json {
        self.listen_for(&format!("`{kind}`"), |told| told["type"] == kind)
    }

    /// Says something and waits for its answer.
    pub fn ask(&mut self, mut message: Json) -> Json {
        self.ids += 1;
        let id = json!(self.ids);
        message["id"] = id.clone();
        let what = format!("an answer to {message}");
        self.send(message);
        self.listen_for(&what, |told| told["id"] == id)
    }

    pub fn choose(&mut self, keys: &[&str]) -> Json {
        let offer = &self.state["offers"][0];
        let message =
            json!({ "type": "choose", "ask": offer["ask"], "seat": offer["seat"], "keys": keys });
        self.ask(message)
    }

    /// Chooses one of the options it is offered by its place, and says which.
    pub fn choose_nth(&mut self, place: usize) -> String {
        let options = self.state["offers"][0]["options"].as_array().unwrap();
        let key = options[place % options.len()]["key"].as_str().unwrap();
        let key = key.to_string();
        let said = self.choose(&[&key]);
        assert_eq!(said["type"], "ok", "{said}");
        key
    }

    /// Waits until one of its seats is asked a prompt.
    pub fn until_asked(&mut self, prompt: &str) {
        self.wait_until(&format!("it is asked `{prompt}`"), |state| {
            state["offers"][0]["prompt"] == prompt
        });
    }

    pub fn until_over(&mut self) {
        self.wait_until("the match is over", |state| !state["end"].is_null());
    }
}

/// What a page does with a patch.
pub fn apply(view: &mut Json, patch: &[Json]) {
    for change in patch {
        let path = change[0].as_array().unwrap();
        let (last, way) = path.split_last().unwrap();
        let mut place = &mut *view;
        for step in way {
            place = match step {
                Json::String(key) => &mut place[key],
                at => &mut place[at.as_u64().unwrap() as usize],
            };
        }
        match (last, change.get(1)) {
            (Json::String(key), Some(value)) => place[key] = value.clone(),
            (Json::String(key), None) => drop(place.as_object_mut().unwrap().remove(key)),
            (at, value) => place[at.as_u64().unwrap() as usize] = value.unwrap().clone(),
        }
    }
}
