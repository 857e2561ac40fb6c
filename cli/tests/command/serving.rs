//! `ludoteca serve` as a process of its own: it says where it is, and what it has acknowledged outlives it. `LUDOTECA_CRASHES=100` ends it
//! that often.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::Message;

/// A server; ended without warning when it is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        Server::open(begun(data, None))
    }

    /// Reads where a server that has been started is.
    fn open(mut child: Child) -> Server {
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
        let made = self.request("POST", "/api/matches", &wish);
        made["keys"]["me"].as_str().unwrap().to_string()
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Json {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// Names of the games that are listed.
    #[cfg(target_os = "linux")]
    fn games(&self) -> Vec<String> {
        let lobby = self.request("GET", "/api/lobby", "");
        let games = lobby["games"].as_array().unwrap();
        let names = games.iter().filter_map(|game| game["id"].as_str());
        names.map(str::to_string).collect()
    }
}

/// A server that has just been started, with a pack if one is named.
fn begun(data: &Path, pack: Option<&Path>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludoteca"));
    if let Some(pack) = pack {
        command.arg("--content").arg(pack);
    }
    command
        .args(["serve", "--port", "0", "--unlimited", "--data"])
        .arg(data)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
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
    while let Ok(message) = socket.read() {
        let Message::Text(text) = message else {
            continue;
        };
        let told: Json = serde_json::from_str(&text).unwrap();
        if !told["end"].is_null() {
            return true;
        }
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

/// `play --browser` says the page of its match, and asks the system to show it.
#[test]
#[cfg(unix)]
fn a_match_is_opened_on_a_page() {
    use std::os::unix::fs::PermissionsExt;
    let folder = crate::support::Folder::new();
    let shown = folder.inside("shown");
    folder.write(
        "xdg-open",
        &format!("#!/bin/sh\necho \"$1\" > '{}'\n", shown.display()),
    );
    let program = folder.inside("xdg-open");
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!(
        "{}:{}",
        folder.path.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludoteca"))
        .args(["play", "tic-tac-toe", "--browser"])
        .env("PATH", path)
        .env("XDG_DATA_HOME", folder.inside("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap());
    lines.read_line(&mut said).unwrap();
    let (page, key) = said.trim().split_once("table#").unwrap();
    let address = page.trim_start_matches("http://").trim_end_matches('/');
    let server = Server {
        address: address.to_string(),
        child,
    };
    let (mut socket, _) =
        tungstenite::connect(format!("ws://{}/api/socket", server.address)).unwrap();
    let hello = json!({ "type": "hello", "key": key, "lang": "en" });
    socket.send(Message::text(hello.to_string())).unwrap();
    let state: Json = serde_json::from_str(socket.read().unwrap().to_text().unwrap()).unwrap();
    assert_eq!(
        (&state["type"], &state["you"]),
        (&json!("state"), &json!(0))
    );
    let begun = Instant::now();
    while std::fs::read_to_string(&shown).unwrap_or_default() != said {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "no page is shown"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
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

/// Packs a server does not know yet are looked at by a child with limits of the system; what is stopped there is left out, and what was let
/// in is known until its files are others.
#[cfg(target_os = "linux")]
mod strangers {
    use super::{Server, begun};
    use crate::support::Folder;
    use std::collections::BTreeMap;
    use std::fs::{read_dir, read_to_string};
    use std::process::Command;
    use std::time::Duration;

    /// Limits of the system that a child process stands under, by name.
    type Limits = BTreeMap<String, String>;

    /// The child in which a server looks at a pack.
    struct Look {
        id: String,
        limits: Limits,
    }

    /// Waits until a server has confined a child of its own, or says its address without having had one.
    fn look_of(server: u32, mut speaks: impl FnMut() -> bool) -> Option<Look> {
        loop {
            let found = children(server).into_iter().find_map(|id| {
                let limits = limits(&id)?;
                (limits["Max file size"] == "0").then_some(Look { id, limits })
            });
            if found.is_some() || speaks() {
                return found;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn children(parent: u32) -> Vec<String> {
        let processes = read_dir("/proc").unwrap().flatten();
        let names = processes.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let is_child = |id: &String| {
            let stat = read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let after_name = stat.rsplit(") ").next().unwrap_or_default();
            after_name.split(' ').nth(1) == Some(&parent.to_string())
        };
        names.filter(is_child).collect()
    }

    fn limits(id: &str) -> Option<Limits> {
        let told = read_to_string(format!("/proc/{id}/limits")).ok()?;
        let row = |line: &str| {
            let (name, values) = line.split_at_checked(26)?;
            let soft = values.split_whitespace().next()?;
            Some((name.trim().to_string(), soft.to_string()))
        };
        let limits: Limits = told.lines().skip(1).filter_map(row).collect();
        limits.contains_key("Max file size").then_some(limits)
    }

    /// Starts a server with the pack `heap`; what was seen of its look at the pack, which may be cut short.
    fn start(folder: &Folder, cut_short: bool) -> (Server, Option<Look>) {
        let child = begun(&folder.inside("data"), Some(&folder.inside("heap")));
        let id = child.id();
        let opened = std::thread::spawn(move || Server::open(child));
        let look = look_of(id, || opened.is_finished());
        if let (Some(look), true) = (&look, cut_short) {
            let killed = Command::new("kill").args(["-9", &look.id]).status();
            assert!(killed.unwrap().success());
        }
        (opened.join().unwrap(), look)
    }

    #[test]
    fn a_pack_nobody_knows_is_looked_at_in_a_process_that_may_do_little() {
        let folder = Folder::with_game();
        let (server, look) = start(&folder, true);
        let look = look.expect("a child looks at the pack");
        for (limit, most) in [
            ("Max cpu time", "12"),
            ("Max address space", "1073741824"),
            ("Max file size", "0"),
            ("Max core file size", "0"),
        ] {
            assert_eq!(look.limits[limit], most, "{limit}");
        }
        // It was stopped: the pack is left out, the lobby says so, and everything else is there.
        let left_out = server.request("GET", "/api/lobby", "")["left_out"].clone();
        let heap = folder.inside("heap").display().to_string();
        assert_eq!(left_out[0]["pack"], heap);
        assert!(left_out[0]["why"].as_str().unwrap().contains("processor"));
        let games = server.games();
        assert!(
            games.len() > 5 && !games.contains(&"heap".into()),
            "{games:?}"
        );
        drop(server);
        // It is looked at again, and let in.
        let (server, look) = start(&folder, false);
        assert!(look.is_some());
        assert!(server.games().contains(&"heap".into()));
        drop(server);
        // Now it is known.
        let (server, look) = start(&folder, false);
        assert!(look.is_none());
        assert!(server.games().contains(&"heap".into()));
        drop(server);
        // Until its files are others; a pack that is merely wrong is listed with what is wrong.
        folder.write("heap/scripts/heap/bad.rhai", "fn broken( {\n");
        let (server, look) = start(&folder, false);
        assert!(look.is_some());
        let lobby = server.request("GET", "/api/lobby", "");
        assert_eq!(lobby["left_out"].as_array().unwrap().len(), 0);
        let games = lobby["games"].as_array().unwrap();
        let heap = games.iter().find(|game| game["id"] == "heap").unwrap();
        assert_eq!(heap["ok"], false);
    }
}
