//! The smallest web server that gives away an index: plain files of one folder, to whoever asks with GET.

use crate::contents::is_name;
use crate::index;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

/// The first lines of a question; no browser sends more.
const LONGEST_HEAD: u64 = 8 << 10;
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers until the process ends. Each question has a thread; there is nothing they could wait for.
pub fn answer(listener: &TcpListener, folder: &Path) {
    for stream in listener.incoming().flatten() {
        let folder = folder.to_path_buf();
        std::thread::spawn(move || {
            let _ = answer_one(&stream, &folder);
        });
    }
}

fn answer_one(stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = BufReader::new(stream.take(LONGEST_HEAD));
    let mut question = String::new();
    head.read_line(&mut question)?;
    let mut line = String::new();
    while head.read_line(&mut line)? > 2 {
        line.clear();
    }
    let found = asked(&question).and_then(|path| std::fs::read(folder.join(path)).ok());
    let (status, body) = match &found {
        Some(bytes) => ("200 OK", bytes.as_slice()),
        None => ("404 Not Found", b"there is no such file\n".as_slice()),
    };
    let mut to = stream;
    write!(
        to,
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    to.write_all(body)
}

/// The file a question asks for, if an index has such files.
fn asked(question: &str) -> Option<&str> {
    let path = question.strip_prefix("GET /")?.split(' ').next()?;
    let (name, file) = path.split_once('/')?;
    let belongs = file == "versions.toml" || file.ends_with(crate::archive::ENDING);
    let fits = is_name(name) && belongs && !file.starts_with('.') && index::is_file_name(file);
    fits.then_some(path)
}
