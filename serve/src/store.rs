//! The matches on disk, in one SQLite file: rows are only ever added, and what was added is on disk before anybody is told of it.
//! One thread writes; whatever waits while it writes goes to disk together.

use crate::shelf::locked;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// The version of the file's tables.
const VERSION: i64 = 1;
/// At most so many wishes go to disk at once.
const TOGETHER: usize = 512;
/// How long a reader waits for the writer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why something is not on disk.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    #[error("{0}")]
    Sql(String),
    #[error("the file is of version {0}; this program writes version {VERSION}")]
    OtherVersion(i64),
    #[error("the store is closed")]
    Closed,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Sql(error.to_string())
    }
}

/// Something to be kept.
#[derive(Debug, Clone)]
pub enum ToKeep {
    /// A match begins: what it is made of, its keys with what they open, and the head of its transcript.
    Begin {
        id: String,
        game: String,
        setup: String,
        head: String,
        keys: Vec<(String, String)>,
        at: i64,
    },
    /// Lines of its transcript, from a row on.
    Lines {
        id: String,
        from: u64,
        lines: Vec<String>,
        at: i64,
    },
    /// Names, colours and the like, as they are now.
    Setup { id: String, setup: String },
    /// The transcript starts again, on other content.
    Again {
        id: String,
        head: String,
        lines: Vec<String>,
        at: i64,
    },
    /// Files a match was begun with.
    Content { hash: String, files: String },
    /// A line of chat.
    Chat {
        id: String,
        seat: Option<u8>,
        name: String,
        text: String,
        at: i64,
    },
}

/// A match as it is kept.
#[derive(Debug, Clone)]
pub struct KeptMatch {
    pub id: String,
    pub setup: String,
    /// The head of the transcript and its lines: what [`crate::kernel::Transcript`] reads.
    pub transcript: String,
    pub rows: u64,
    pub keys: Vec<(String, String)>,
    pub chat: Vec<(Option<u8>, String, String, i64)>,
    pub begun: i64,
    pub touched: i64,
}

type Wish = (ToKeep, mpsc::SyncSender<Result<(), StoreError>>);

/// The store.
pub struct MatchStore {
    writer: mpsc::Sender<Wish>,
    reader: Mutex<Connection>,
}

const TABLES: &str = "
    CREATE TABLE matches (id TEXT PRIMARY KEY, game TEXT NOT NULL, setup TEXT NOT NULL, head TEXT NOT NULL, life INTEGER NOT NULL,
                          begun INTEGER NOT NULL, touched INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE keys (key TEXT PRIMARY KEY, id TEXT NOT NULL, opens TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX keys_of ON keys (id);
    CREATE TABLE lines (id TEXT NOT NULL, life INTEGER NOT NULL, row INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (id, life, row)) WITHOUT ROWID;
    CREATE TABLE content (hash TEXT PRIMARY KEY, files TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE chat (number INTEGER PRIMARY KEY, id TEXT NOT NULL, seat INTEGER, name TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL);
    CREATE INDEX chat_of ON chat (id);
";

impl MatchStore {
    /// Opens the file, or makes it.
    pub fn open(path: &Path) -> Result<MatchStore, StoreError> {
        let mut writing = connect(path)?;
        prepare(&mut writing)?;
        let reader = Mutex::new(connect(path)?);
        let (writer, wishes) = mpsc::channel();
        std::thread::Builder::new()
            .name("store".into())
            .spawn(move || write_down(writing, &wishes))
            .map_err(|error| StoreError::Sql(error.to_string()))?;
        Ok(MatchStore { writer, reader })
    }

    /// Puts something on disk and returns when it is there.
    pub fn keep(&self, entry: ToKeep) -> Result<(), StoreError> {
        let (done, kept) = mpsc::sync_channel(1);
        self.writer
            .send((entry, done))
            .map_err(|_| StoreError::Closed)?;
        kept.recv().map_err(|_| StoreError::Closed)?
    }

    /// The match a key opens, and what of it.
    pub fn find(&self, key: &str) -> Result<Option<(String, String)>, StoreError> {
        let reader = locked(&self.reader);
        let mut found = reader.prepare_cached("SELECT id, opens FROM keys WHERE key = ?1")?;
        Ok(found
            .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?)
    }

    /// The files of some content, if a match was begun with it.
    pub fn content(&self, hash: &str) -> Result<Option<String>, StoreError> {
        let reader = locked(&self.reader);
        let mut found = reader.prepare_cached("SELECT files FROM content WHERE hash = ?1")?;
        Ok(found.query_row([hash], |row| row.get(0)).optional()?)
    }

    /// Whether the files of some content are there.
    pub fn has_content(&self, hash: &str) -> bool {
        let reader = locked(&self.reader);
        let found = reader.query_row("SELECT 1 FROM content WHERE hash = ?1", [hash], |_| Ok(()));
        found.is_ok()
    }

    /// A match by its id.
    pub fn read(&self, id: &str) -> Result<Option<KeptMatch>, StoreError> {
        let mut reader = locked(&self.reader);
        let moment = reader.transaction()?;
        let found = moment
            .query_row(
                "SELECT setup, head, life, begun, touched FROM matches WHERE id = ?1",
                [id],
                |row| {
                    Ok((
                        row.get::<_, String>(0)?,
                        row.get::<_, String>(1)?,
                        row.get::<_, i64>(2)?,
                        row.get::<_, i64>(3)?,
                        row.get::<_, i64>(4)?,
                    ))
                },
            )
            .optional()?;
        let Some((setup, mut transcript, life, begun, touched)) = found else {
            return Ok(None);
        };
        let mut rows = 0;
        {
            let mut lines = moment.prepare_cached(
                "SELECT line FROM lines WHERE id = ?1 AND life = ?2 ORDER BY row",
            )?;
            let mut found = lines.query(params![id, life])?;
            while let Some(row) = found.next()? {
                transcript.push_str(&row.get::<_, String>(0)?);
                transcript.push('\n');
                rows += 1;
            }
        }
        let keys = moment
            .prepare_cached("SELECT key, opens FROM keys WHERE id = ?1 ORDER BY key")?
            .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let chat = moment
            .prepare_cached("SELECT seat, name, text, at FROM chat WHERE id = ?1 ORDER BY number")?
            .query_map([id], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?
            .collect::<Result<_, _>>()?;
        Ok(Some(KeptMatch {
            id: id.to_string(),
            setup,
            transcript,
            rows,
            keys,
            chat,
            begun,
            touched,
        }))
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // An answer that was acknowledged outlives a power cut too.
    connection.pragma_update(None, "synchronous", "FULL")?;
    Ok(connection)
}

fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    let making = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: i64 = making.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match version {
        0 => {
            making.execute_batch(TABLES)?;
            making.pragma_update(None, "user_version", VERSION)?;
        }
        VERSION => {}
        other => return Err(StoreError::OtherVersion(other)),
    }
    Ok(making.commit()?)
}

/// Writes until nobody can wish anything any more.
fn write_down(mut connection: Connection, wishes: &mpsc::Receiver<Wish>) {
    while let Ok(first) = wishes.recv() {
        let mut waiting = vec![first];
        while waiting.len() < TOGETHER
            && let Ok(next) = wishes.try_recv()
        {
            waiting.push(next);
        }
        let entries: Vec<&ToKeep> = waiting.iter().map(|(entry, _)| entry).collect();
        let results = write_together(&mut connection, &entries);
        for ((_, done), result) in waiting.into_iter().zip(results) {
            // Who does not wait any more needs no answer.
            let _ = done.send(result);
        }
    }
}

/// One entry that cannot be written spoils none of the others; a disk that is full spoils all.
fn write_together(connection: &mut Connection, entries: &[&ToKeep]) -> Vec<Result<(), StoreError>> {
    let mut write = || -> Result<Vec<Result<(), StoreError>>, StoreError> {
        let mut all = connection.transaction()?;
        let mut results = Vec::with_capacity(entries.len());
        for entry in entries {
            let one = all.savepoint()?;
            results.push(match write(&one, entry) {
                Ok(()) => one.commit().map_err(StoreError::from),
                Err(error) => Err(error),
            });
        }
        all.commit()?;
        Ok(results)
    };
    write().unwrap_or_else(|error| vec![Err(error); entries.len()])
}

fn write(connection: &Connection, entry: &ToKeep) -> Result<(), StoreError> {
    match entry {
        ToKeep::Begin {
            id,
            game,
            setup,
            head,
            keys,
            at,
        } => {
            connection
                .prepare_cached("INSERT INTO matches (id, game, setup, head, life, begun, touched) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?5)")?
                .execute(params![id, game, setup, head, at])?;
            let mut open = connection
                .prepare_cached("INSERT INTO keys (key, id, opens) VALUES (?1, ?2, ?3)")?;
            for (key, opens) in keys {
                open.execute(params![key, id, opens])?;
            }
        }
        ToKeep::Lines {
            id,
            from,
            lines,
            at,
        } => {
            let life: i64 = connection
                .prepare_cached("SELECT life FROM matches WHERE id = ?1")?
                .query_row([id], |row| row.get(0))?;
            add_lines(connection, id, life, *from, lines)?;
            touch(connection, id, *at)?;
        }
        ToKeep::Setup { id, setup } => {
            connection
                .prepare_cached("UPDATE matches SET setup = ?2 WHERE id = ?1")?
                .execute(params![id, setup])?;
        }
        ToKeep::Again {
            id,
            head,
            lines,
            at,
        } => {
            let life: i64 = connection
                .prepare_cached(
                    "UPDATE matches SET life = life + 1, head = ?2 WHERE id = ?1 RETURNING life",
                )?
                .query_row(params![id, head], |row| row.get(0))?;
            add_lines(connection, id, life, 0, lines)?;
            touch(connection, id, *at)?;
        }
        ToKeep::Content { hash, files } => {
            connection
                .prepare_cached("INSERT OR IGNORE INTO content (hash, files) VALUES (?1, ?2)")?
                .execute(params![hash, files])?;
        }
        ToKeep::Chat {
            id,
            seat,
            name,
            text,
            at,
        } => {
            connection
                .prepare_cached(
                    "INSERT INTO chat (id, seat, name, text, at) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![id, seat, name, text, at])?;
        }
    }
    Ok(())
}

/// Each row is there once: the key of the table refuses a second.
fn add_lines(
    connection: &Connection,
    id: &str,
    life: i64,
    from: u64,
    lines: &[String],
) -> Result<(), StoreError> {
    let mut add = connection
        .prepare_cached("INSERT INTO lines (id, life, row, line) VALUES (?1, ?2, ?3, ?4)")?;
    for (row, line) in (from..).zip(lines) {
        add.execute(params![id, life, row as i64, line])?;
    }
    Ok(())
}

fn touch(connection: &Connection, id: &str, at: i64) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE matches SET touched = ?2 WHERE id = ?1")?
        .execute(params![id, at])?;
    Ok(())
}
