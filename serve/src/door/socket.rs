//! One WebSocket a window: what it says is done at its table, and it hears what it may.

use super::Doorway;
use super::guard::{Bucket, too_many};
use crate::house::House;
use crate::kernel::Language;
use crate::refusal::Refusal;
use crate::shelf::locked;
use crate::table::{Past, Sitting, hint, wake};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// The largest message of a page.
const LARGEST_MESSAGE: usize = 64 << 10;
/// How long a window may take to say who it is, and to read what it is sent.
const PATIENCE: Duration = Duration::from_secs(10);
/// A window that has gone without a word is noticed by this.
const PULSE: Duration = Duration::from_secs(30);

/// Why a window is sent away, as the codes of closing.
mod closing {
    pub const UNKNOWN_KEY: u16 = 4001;
    pub const TOO_MANY_WINDOWS: u16 = 4002;
    pub const BROKEN: u16 = 4003;
    pub const TOO_SLOW: u16 = 4004;
    pub const NO_HELLO: u16 = 4005;
}

/// What a page says.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Said {
    Hello {
        key: String,
        #[serde(default)]
        lang: Language,
    },
    Sit {
        seat: u8,
        name: String,
        #[serde(default)]
        color: Option<String>,
    },
    Choose {
        ask: u64,
        seat: u8,
        keys: Vec<String>,
    },
    Undo {},
    Consent {
        yes: bool,
    },
    Hint {
        seat: u8,
        on: bool,
    },
    Say {
        text: String,
    },
    Look {
        seat: u8,
    },
    Lang {
        lang: Language,
    },
    Log {
        before: u64,
    },
    Past {
        at: u64,
    },
    Content {
        go: String,
    },
}

static WINDOWS: AtomicU64 = AtomicU64::new(1);

pub async fn open(State(door): State<Doorway>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .on_upgrade(move |socket| serve(door, socket))
}

/// A window and its table.
struct Window {
    door: Doorway,
    number: u64,
    table: Arc<Mutex<Sitting>>,
    language: Language,
}

async fn serve(door: Doorway, mut socket: WebSocket) {
    let Some((window, mut messages)) = welcome(door, &mut socket).await else {
        return;
    };
    let code = converse(&window, &mut socket, &mut messages).await;
    let (table, number) = (window.table.clone(), window.number);
    let _ = tokio::task::spawn_blocking(move || locked(&table).leave(number)).await;
    close(&mut socket, code).await;
}

/// The first message says which table.
async fn welcome(
    door: Doorway,
    socket: &mut WebSocket,
) -> Option<(Window, mpsc::Receiver<Arc<str>>)> {
    let first = timeout(PATIENCE, socket.recv()).await;
    let Ok(Some(Ok(Message::Text(text)))) = first else {
        close(socket, closing::NO_HELLO).await;
        return None;
    };
    let Ok((id, Said::Hello { key, lang })) = parse(&text) else {
        close(socket, closing::NO_HELLO).await;
        return None;
    };
    let number = WINDOWS.fetch_add(1, Ordering::Relaxed);
    let house = door.house.clone();
    let come = tokio::task::spawn_blocking(move || {
        let table = house.table(&key)?;
        let messages = locked(&table).come(number, &key, lang)?;
        Ok::<_, Refusal>((table, messages))
    });
    match come.await {
        Ok(Ok((table, messages))) => {
            let window = Window {
                door,
                number,
                table,
                language: lang,
            };
            Some((window, messages))
        }
        Ok(Err(refusal)) => {
            let code = match refusal.code {
                "unknown-key" => closing::UNKNOWN_KEY,
                "too-many-windows" => closing::TOO_MANY_WINDOWS,
                _ => closing::BROKEN,
            };
            let _ = send(socket, error(&id, &refusal, lang)).await;
            close(socket, code).await;
            None
        }
        Err(_) => {
            close(socket, closing::BROKEN).await;
            None
        }
    }
}

/// Until one of both goes; says how to close.
async fn converse(
    window: &Window,
    socket: &mut WebSocket,
    messages: &mut mpsc::Receiver<Arc<str>>,
) -> u16 {
    let rate = window.door.guard.rates().messages;
    let mut bucket = Bucket::full(rate);
    let mut pulse = tokio::time::interval(PULSE);
    let mut alive = true;
    loop {
        tokio::select! {
            biased;
            told = messages.recv() => match told {
                None => return closing::TOO_SLOW,
                Some(text) => if !send(socket, text.to_string()).await {
                    return closing::TOO_SLOW;
                },
            },
            said = socket.recv() => {
                alive = true;
                match said {
                    Some(Ok(Message::Text(text))) => {
                        let answer = match bucket.take(rate) {
                            true => window.answer(&text).await,
                            false => Some(error(&Json::Null, &too_many(), window.language)),
                        };
                        // What the message brought about comes before its answer.
                        while let Ok(text) = messages.try_recv() {
                            if !send(socket, text.to_string()).await {
                                return closing::TOO_SLOW;
                            }
                        }
                        if let Some(answer) = answer && !send(socket, answer).await {
                            return closing::TOO_SLOW;
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return 1000,
                }
            },
            _ = pulse.tick() => {
                if !alive {
                    return 1000;
                }
                alive = false;
                if timeout(PATIENCE, socket.send(Message::Ping(Default::default()))).await.is_err() {
                    return closing::TOO_SLOW;
                }
            }
        }
    }
}

impl Window {
    /// Does what a message says; what to answer, unless the table tells it itself.
    async fn answer(&self, text: &str) -> Option<String> {
        let (id, said) = match parse(text) {
            Ok(parsed) => parsed,
            Err((id, refusal)) => return Some(error(&id, &refusal, self.language)),
        };
        let (house, table, number) = (self.door.house.clone(), self.table.clone(), self.number);
        let done = tokio::task::spawn_blocking(move || {
            let language = locked(&table).language_of(number);
            let done = match said {
                Said::Log { before } => recalled(&table, number, Past::LinesBefore(before)),
                Said::Past { at } => recalled(&table, number, Past::At(at)),
                Said::Hint { seat, on } => hint(&house, &table, number, seat, on).map(|()| None),
                said => act(&house, &mut locked(&table), number, said).map(|()| None),
            };
            wake(&house, &table);
            (done, language)
        });
        match done.await {
            Ok((Ok(None), _)) => Some(json!({ "type": "ok", "id": id }).to_string()),
            Ok((Ok(Some(mut told)), _)) => {
                told["id"] = id;
                Some(told.to_string())
            }
            Ok((Err(refusal), language)) => Some(error(&id, &refusal, language)),
            Err(_) => Some(error(&id, &broken(), self.language)),
        }
    }
}

/// Does at the table what a window says.
fn act(house: &House, at: &mut Sitting, number: u64, said: Said) -> Result<(), Refusal> {
    match said {
        Said::Hello { lang, .. } | Said::Lang { lang } => {
            at.speak(number, lang);
            Ok(())
        }
        Said::Sit { seat, name, color } => at.sit(house, number, seat, &name, color.as_deref()),
        Said::Choose { ask, seat, keys } => at.choose(house, number, ask, seat, &keys),
        Said::Undo {} => at.undo(house, number),
        Said::Consent { yes } => at.consent(house, number, yes),
        Said::Say { text } => at.say(house, number, &text),
        Said::Look { seat } => at.look(number, seat),
        Said::Content { go } => at.go_on_with(house, number, &go),
        Said::Log { .. } | Said::Past { .. } | Said::Hint { .. } => Ok(()),
    }
}

/// The past is played elsewhere: nobody waits for it at the table.
fn recalled(table: &Mutex<Sitting>, number: u64, past: Past) -> Result<Option<Json>, Refusal> {
    let recall = locked(table).recall(number);
    Ok(recall.map(|recall| recall.told(past)))
}

fn broken() -> Refusal {
    Refusal::new(
        "broken",
        "El servidor falló; no cambió nada.",
        "The server failed; nothing has changed.",
    )
}

/// A message and its `id`.
fn parse(text: &str) -> Result<(Json, Said), (Json, Refusal)> {
    let mut message: Json =
        serde_json::from_str(text).map_err(|error| (Json::Null, Refusal::bad_request(error)))?;
    let id = match message.as_object_mut() {
        Some(fields) => fields.remove("id").unwrap_or_default(),
        None => Json::Null,
    };
    // Only what is short comes back.
    let id = match id {
        Json::String(text) if text.len() > 64 => Json::Null,
        Json::String(_) | Json::Number(_) => id,
        _ => Json::Null,
    };
    match serde_json::from_value(message) {
        Ok(said) => Ok((id, said)),
        Err(error) => Err((id, Refusal::bad_request(error))),
    }
}

fn error(id: &Json, refusal: &Refusal, language: Language) -> String {
    let mut told =
        json!({ "type": "error", "id": id, "code": refusal.code, "text": refusal.text(language) });
    if !refusal.diagnostics.is_empty() {
        told["diagnostics"] = json!(refusal.diagnostics);
    }
    told.to_string()
}

/// Whether it was sent in time.
async fn send(socket: &mut WebSocket, text: String) -> bool {
    matches!(
        timeout(PATIENCE, socket.send(Message::Text(text.into()))).await,
        Ok(Ok(()))
    )
}

async fn close(socket: &mut WebSocket, code: u16) {
    let frame = CloseFrame {
        code,
        reason: "".into(),
    };
    let _ = timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
}
