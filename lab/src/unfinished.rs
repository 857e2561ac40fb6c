//! A run while it goes on: the records of its games in a file that only grows, beside the table it will become. Killed at any moment it leaves
//! every game that was kept, and can go on.

use crate::columns::columns;
use crate::record::{Header, Record};
use crate::results::{Format, MARK, Results, ResultsError, ResultsReader, csv_record, into_inner};
use ludoteca::{keep, keep::Whole};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What is added to the name of a table while its run goes on.
const ENDING: &str = ".unfinished";

/// The games of a run that has not ended.
pub struct Unfinished {
    header: Header,
    /// What becomes of it.
    table: PathBuf,
    path: PathBuf,
    file: File,
    /// How much of the file is on disk, in whole lines.
    length: u64,
    waiting: csv::Writer<Vec<u8>>,
    /// Games that are on disk, and games that wait for it.
    kept: u64,
    written: u64,
}

impl Unfinished {
    /// Where the games of a table are while its run goes on.
    pub fn path(table: &Path) -> PathBuf {
        let mut name = table.as_os_str().to_owned();
        name.push(ENDING);
        PathBuf::from(name)
    }

    /// Begins a run without a game.
    pub fn begin(table: &Path, header: &Header) -> Result<Unfinished, ResultsError> {
        let path = Unfinished::path(table);
        let written = serde_json::to_string(header).map_err(io::Error::from)?;
        let mut whole = Whole::begin(&path)?;
        writeln!(whole, "{MARK}{written}")?;
        let mut names = csv::Writer::from_writer(&mut whole);
        names.write_record(columns(header).iter().map(|column| &column.name))?;
        names.flush()?;
        drop(names);
        let file = whole.finish()?;
        Unfinished::new(table, header, file, 0)
    }

    /// Goes on with a run: every game that is there is handed over, in order.
    pub fn go_on(
        table: &Path,
        header: &Header,
        take: impl FnMut(Record),
    ) -> Result<Unfinished, ResultsError> {
        let path = Unfinished::path(table);
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(ResultsError::Taken);
        }
        let kept = read(&path, header, take)?;
        Unfinished::new(table, header, file, kept)
    }

    fn new(
        table: &Path,
        header: &Header,
        mut file: File,
        kept: u64,
    ) -> Result<Unfinished, ResultsError> {
        let length = whole_lines(&mut file)?;
        Ok(Unfinished {
            header: header.clone(),
            table: table.to_path_buf(),
            path: Unfinished::path(table),
            file,
            length,
            waiting: csv::Writer::from_writer(Vec::new()),
            kept,
            written: kept,
        })
    }

    /// Games that are on disk.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Notes a game. It is on disk when [`Unfinished::keep`] has returned.
    pub fn write(&mut self, record: &Record) -> Result<(), ResultsError> {
        csv_record(&self.header, record, &mut self.waiting)?;
        self.written += 1;
        Ok(())
    }

    /// Puts on disk what was noted. If it cannot, the file holds what it held before.
    pub fn keep(&mut self) -> Result<(), ResultsError> {
        let empty = csv::Writer::from_writer(Vec::new());
        let lines = into_inner(std::mem::replace(&mut self.waiting, empty))?;
        if let Err(error) = self.append(&lines) {
            // What is half there is dropped by whoever reads it, if it cannot be removed now.
            let _ = self.file.set_len(self.length);
            return Err(error.into());
        }
        self.kept = self.written;
        Ok(())
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(lines)?;
        self.file.sync_data()?;
        self.length += lines.len() as u64;
        Ok(())
    }

    /// The run has ended: what was kept becomes the table.
    pub fn finish(self, format: Format) -> Result<(), ResultsError> {
        if format == Format::Csv {
            // What is half there behind a failure must not become a part of the table.
            self.file.set_len(self.length)?;
            self.file.sync_all()?;
            let table = self.table.canonicalize().unwrap_or(self.table);
            fs::rename(&self.path, &table)?;
            return Ok(keep::sync_folder(&table)?);
        }
        let mut results = Results::new(format, &self.header, Whole::begin(&self.table)?)?;
        let mut failed = Ok(());
        read(&self.path, &self.header, |record| {
            if failed.is_ok() {
                failed = results.write(&record);
            }
        })?;
        failed?;
        results.finish()?.finish()?;
        fs::remove_file(&self.path)?;
        Ok(keep::sync_folder(&self.path)?)
    }
}

/// Hands over the games of a table that belong to a run, in order, and says how many they are.
pub fn read(
    path: &Path,
    header: &Header,
    mut take: impl FnMut(Record),
) -> Result<u64, ResultsError> {
    let table = ResultsReader::open(keep::open(path)?)?;
    if table.header.unsigned() != header.unsigned() {
        return Err(ResultsError::OtherRun);
    }
    let mut count = 0;
    let mut odd = None;
    table.records(|record| {
        if record.game != header.part.0 + count {
            odd.get_or_insert(record.game);
        }
        count += 1;
        take(record);
    })?;
    match odd {
        Some(game) => Err(ResultsError::OutOfOrder(game)),
        None => Ok(count),
    }
}

/// Where the last whole line of a file ends.
pub fn whole_lines(file: &mut File) -> io::Result<u64> {
    const BLOCK: u64 = 64 << 10;
    let mut end = file.seek(SeekFrom::End(0))?;
    while end > 0 {
        let from = end.saturating_sub(BLOCK);
        let mut block = Vec::with_capacity((end - from) as usize);
        file.seek(SeekFrom::Start(from))?;
        Read::by_ref(file)
            .take(end - from)
            .read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(from + at as u64 + 1);
        }
        end = from;
    }
    Ok(0)
}
