//! `ludoteca serve` as a process of its own: it says where it is, and what it has acknowledged outlives it. `LUDOTECA_CRASHES=100` ends it
//! that often.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::Message;

/// A server; ended without warning when it is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &std::path::Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludoteca"))
            .args(["serve", "--port", "0", "--unlimited", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut lines = BufReader::new(child.stdout.as_mut().unwrap());
        lines.read_line(&mut said).unwrap();
        let address = said
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/');
        assert!(address.starts_with("127.0.0.1:"), "{said}");
        Server {
            address: address.to_string(),
            child,
        }
    }

    fn new_match(&self) -> String {
        let wish = json!({ "game": "alta-tension", "seats": ["me", "random"] }).to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "POST /api/matches HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            wish.len()
        );
        stream
            .write_all(format!("{head}{wish}").as_bytes())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let made: Json = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        made["keys"]["me"].as_str().unwrap().to_string()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a person knows of their match.
struct Memory {
    key: String,
    /// Answers that were acknowledged, and one that was sent and may count or not.
    acknowledged: u64,
    sent: u64,
}

/// Plays as fast as it can, until the server is ended in the middle of it.
fn play_until_killed(mut server: Server, memory: &mut Memory, life: Duration) -> bool {
    let (mut socket, _) =
        tungstenite::connect(format!("ws://{}/api/socket", server.address)).unwrap();
    let hello = json!({ "type": "hello", "key": memory.key, "lang": "en" });
    socket.send(Message::text(hello.to_string())).unwrap();
    let mut first = true;
    let mut killed = false;
    let mut begun = Instant::now();
    let mut over = false;
    while let Ok(message) = socket.read() {
        let Message::Text(text) = message else {
            continue;
        };
        let told: Json = serde_json::from_str(&text).unwrap();
        over |= !told["end"].is_null();
        match told["type"].as_str().unwrap() {
            // The next question may come before the word that the last answer is kept.
            "ok" => memory.acknowledged = told["id"].as_u64().unwrap() + 1,
            "error" => panic!("{told}"),
            "state" | "moment" => {
                let Some(offer) = told["offers"].get(0) else {
                    continue;
                };
                let given = offer["ask"].as_u64().unwrap();
                if first {
                    let (least, most) = (memory.acknowledged, memory.sent);
                    assert!(
                        (least..=most).contains(&given),
                        "{given} answers are there, {least} were acknowledged, {most} sent"
                    );
                    (memory.acknowledged, memory.sent) = (given, given);
                    (first, begun) = (false, Instant::now());
                } else if given < memory.sent {
                    continue;
                }
                let options = offer["options"].as_array().unwrap();
                let wanted = offer["min"].as_u64().unwrap().max(1);
                let keys: Vec<&Json> = (given..given + wanted)
                    .map(|n| &options[n as usize % options.len()]["key"])
                    .collect();
                let answer = json!({ "type": "choose", "id": given, "ask": given, "seat": offer["seat"], "keys": keys });
                memory.sent = given + 1;
                if socket.send(Message::text(answer.to_string())).is_err() {
                    break;
                }
            }
            _ => {}
        }
        if over {
            return true;
        }
        if !first && !killed && begun.elapsed() > life {
            server.child.kill().unwrap();
            killed = true;
        }
    }
    false
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_there_twice() {
    let wanted = std::env::var("LUDOTECA_CRASHES").ok();
    let crashes: u64 = wanted.and_then(|wanted| wanted.parse().ok()).unwrap_or(4);
    let folder = std::env::temp_dir().join(format!("ludoteca-crash-{}", std::process::id()));
    let mut memory: Option<Memory> = None;
    let mut answers = 0;
    for crash in 0..crashes {
        let server = Server::start(&folder);
        let mut known = memory.take().unwrap_or_else(|| Memory {
            key: server.new_match(),
            acknowledged: 0,
            sent: 0,
        });
        let before = known.acknowledged;
        let over = play_until_killed(
            server,
            &mut known,
            Duration::from_millis(20 + crash * 17 % 160),
        );
        answers += known.acknowledged - before;
        memory = (!over).then_some(known);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(
        answers > crashes,
        "only {answers} answers in {crashes} lives"
    );
}

#[test]
fn a_port_that_is_taken_is_said_in_a_sentence() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = std::env::temp_dir().join(format!("ludoteca-taken-{}", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_ludoteca"))
        .args(["serve", "--port", &port, "--data"])
        .arg(&folder)
        .output()
        .unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.starts_with(&format!("error: 127.0.0.1:{port}: ")),
        "{said}"
    );
}
