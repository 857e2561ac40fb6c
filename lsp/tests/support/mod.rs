//! An editor for tests: it opens a copy of a pack, speaks the protocol, and says what it is answered in lines people can read.
#![allow(dead_code, reason = "each test uses some of it")]

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use ludoteca::{Folder, PackSource};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long an answer may take on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Editor {
    connection: Connection,
    server: Option<JoinHandle<()>>,
    pub root: PathBuf,
    next: i32,
    /// The last diagnostics of each file.
    pub diagnostics: BTreeMap<String, Value>,
    /// What was shown to the person.
    pub shown: Vec<String>,
    /// What the server asks and tells besides, by method.
    pub heard: Vec<(String, Value)>,
    versions: BTreeMap<String, i32>,
    pub texts: BTreeMap<String, String>,
    _folder: Option<tempfile::TempDir>,
}

/// The pack of these tests.
pub fn pack() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pack")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).unwrap()),
        }
    }
}

impl Editor {
    /// An editor with a copy of the pack of these tests.
    pub fn new() -> Editor {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        copy(&pack(), &root);
        let mut editor = Editor::at(root);
        editor._folder = Some(folder);
        editor
    }

    /// An editor in a folder.
    pub fn at(root: PathBuf) -> Editor {
        Editor::with(
            root,
            None,
            json!({ "capabilities": {}, "processId": null, "rootUri": null }),
        )
    }

    /// An editor in a folder, with a command for what takes a while, that says of itself what it says.
    pub fn with(root: PathBuf, tool: Option<PathBuf>, greeting: Value) -> Editor {
        let (ours, theirs) = Connection::memory();
        let folder = root.clone();
        let server = thread::spawn(move || {
            let open = |_: Option<&Path>| Ok(vec![PackSource::new("feria", Folder::new(&folder))]);
            let options = ludoteca_lsp::Options { open: &open, tool };
            ludoteca_lsp::serve(&theirs, &options).unwrap();
        });
        let mut editor = Editor {
            connection: ours,
            server: Some(server),
            root,
            next: 0,
            diagnostics: BTreeMap::new(),
            shown: Vec::new(),
            heard: Vec::new(),
            versions: BTreeMap::new(),
            texts: BTreeMap::new(),
            _folder: None,
        };
        editor.ask("initialize", greeting).unwrap();
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn uri(&self, path: &str) -> String {
        format!("file://{}/{path}", self.root.display())
    }

    pub fn tell(&self, method: &str, params: Value) {
        let message = Notification::new(method.to_string(), params);
        self.connection
            .sender
            .send(Message::Notification(message))
            .unwrap();
    }

    /// Asks, and waits for the answer; an error is its message.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_string(), params);
        self.connection
            .sender
            .send(Message::Request(request))
            .unwrap();
        loop {
            match self.hear() {
                Some(Message::Response(Response {
                    id: of,
                    result,
                    error,
                    ..
                })) if of == id => {
                    return match error {
                        Some(error) => Err(error.message),
                        None => Ok(result.unwrap_or(Value::Null)),
                    };
                }
                Some(_) => {}
                None => panic!("no answer to {method}"),
            }
        }
    }

    /// The next message; what is told is kept.
    fn hear(&mut self) -> Option<Message> {
        let message = self.connection.receiver.recv_timeout(PATIENCE).ok()?;
        if let Message::Notification(told) = &message {
            match told.method.as_str() {
                "textDocument/publishDiagnostics" => {
                    let uri = told.params["uri"].as_str().unwrap_or_default().to_string();
                    self.diagnostics
                        .insert(uri, told.params["diagnostics"].clone());
                }
                "window/showMessage" => {
                    self.shown.push(
                        told.params["message"]
                            .as_str()
                            .unwrap_or_default()
                            .to_string(),
                    );
                }
                _ => self.heard.push((told.method.clone(), told.params.clone())),
            }
        }
        if let Message::Request(asked) = &message {
            self.heard
                .push((asked.method.clone(), asked.params.clone()));
        }
        Some(message)
    }

    /// Listens until something holds.
    pub fn until(&mut self, holds: impl Fn(&Editor) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(
                begun.elapsed() < PATIENCE && self.hear().is_some(),
                "it never came"
            );
        }
    }

    pub fn on_disk(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    pub fn open(&mut self, path: &str) {
        let text = self.on_disk(path);
        self.open_as(path, text);
    }

    /// Opens a file with a text of its own, or writes it anew.
    pub fn open_as(&mut self, path: &str, text: String) {
        let uri = self.uri(path);
        let version = self.versions.entry(path.to_string()).or_insert(0);
        *version += 1;
        let params = match *version {
            1 => {
                json!({ "textDocument": { "uri": uri, "languageId": "x", "version": 1, "text": text } })
            }
            n => {
                json!({ "textDocument": { "uri": uri, "version": n }, "contentChanges": [{ "text": text }] })
            }
        };
        let method = match *version {
            1 => "textDocument/didOpen",
            _ => "textDocument/didChange",
        };
        self.texts.insert(path.to_string(), text);
        self.tell(method, params);
    }

    /// The document and position of a byte.
    pub fn place(&self, path: &str, byte: usize) -> Value {
        let text = &self.texts[path];
        let before = &text[..byte];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let character: usize = before[start..].chars().map(char::len_utf16).sum();
        json!({ "textDocument": { "uri": self.uri(path) }, "position": { "line": line, "character": character } })
    }

    /// A location as `path:line: text`.
    pub fn said(&self, location: &Value) -> String {
        let uri = location["uri"].as_str().unwrap_or_default();
        let path = uri.strip_prefix(&self.uri("")).unwrap_or(uri);
        let line = location["range"]["start"]["line"].as_u64().unwrap_or(0) as usize;
        let text = self
            .texts
            .get(path)
            .cloned()
            .unwrap_or_else(|| self.on_disk(path));
        format!(
            "{path}:{}: {}",
            line + 1,
            text.lines().nth(line).unwrap_or_default().trim()
        )
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.ask("shutdown", Value::Null).unwrap();
            self.tell("exit", Value::Null);
            self.server.take().unwrap().join().unwrap();
        }
    }
}
