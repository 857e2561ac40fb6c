//! The table of a run on disk, one record a game, as Parquet or CSV. Records go out as they come: a million of them need no more memory than a thousand.

use crate::columns::{BadCell, Cell, Column, Holds, RecordReader, cells, columns};
use crate::record::{FORMAT, Header, Record};
use crate::unfinished::whole_lines;
use ludoteca::limits::{LONGEST_HEADER, MOST_DECLARED, MOST_PIECES, MOST_SPACES};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, Take, Write};
use std::path::Path;
use std::sync::Arc;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Parquet,
    Csv,
}

impl Format {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "parquet" => Some(Format::Parquet),
            "csv" => Some(Format::Csv),
            _ => None,
        }
    }
}

/// What is wrong with a table on disk.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Parquet(#[from] ParquetError),
    #[error("{0}")]
    Csv(#[from] csv::Error),
    #[error("these are not results of games: {0}")]
    NotResults(String),
    #[error(
        "these are games of another run: its game, content, settings, players, bots, seeds or number of games differ"
    )]
    OtherRun,
    #[error("game {0} is not where it should be, or is there twice")]
    OutOfOrder(u64),
    #[error("another run is being kept there")]
    Taken,
    #[error("written in layout {0}; this version reads layout {FORMAT}")]
    OtherFormat(u32),
    #[error(transparent)]
    Cell(#[from] BadCell),
}

/// The header's key in a Parquet file, and the beginning of a CSV file.
const KEY: &str = "ludoteca";
pub(crate) const MARK: &str = "# ludoteca ";

/// Records kept in memory before a Parquet row group is written.
const GROUP: usize = 4_096;

/// A table being written.
pub enum Results<W: Write + Send> {
    Parquet(Box<ParquetTable<W>>),
    Csv(Box<(Header, csv::Writer<W>)>),
}

pub struct ParquetTable<W: Write + Send> {
    header: Header,
    writer: SerializedFileWriter<BufWriter<W>>,
    columns: Vec<Column>,
    waiting: Vec<Vec<Cell>>,
}

impl<W: Write + Send> Results<W> {
    pub fn new(format: Format, header: &Header, mut out: W) -> Result<Results<W>, ResultsError> {
        let written = serde_json::to_string(header).map_err(std::io::Error::from)?;
        let columns = columns(header);
        if format == Format::Csv {
            writeln!(out, "{MARK}{written}")?;
            let mut writer = csv::Writer::from_writer(out);
            writer.write_record(columns.iter().map(|column| &column.name))?;
            return Ok(Results::Csv(Box::new((header.clone(), writer))));
        }
        let fields = columns.iter().map(|c| Ok(Arc::new(field(c)?)));
        let schema = Type::group_type_builder("game")
            .with_fields(fields.collect::<Result<_, ParquetError>>()?)
            .build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(vec![KeyValue::new(KEY.to_string(), written)]))
            .build();
        let out = BufWriter::new(out);
        Ok(Results::Parquet(Box::new(ParquetTable {
            header: header.clone(),
            writer: SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?,
            waiting: columns.iter().map(|_| Vec::with_capacity(GROUP)).collect(),
            columns,
        })))
    }

    pub fn write(&mut self, record: &Record) -> Result<(), ResultsError> {
        match self {
            Results::Csv(table) => {
                let (header, writer) = &mut **table;
                csv_record(header, record, writer)
            }
            Results::Parquet(table) => {
                let row = cells(&table.header, record);
                for (column, cell) in table.waiting.iter_mut().zip(row) {
                    column.push(cell);
                }
                if table.waiting[0].len() >= GROUP {
                    table.write_group()?;
                }
                Ok(())
            }
        }
    }

    /// Writes what is left and the end of the file. Without it a Parquet file cannot be read.
    pub fn finish(self) -> Result<W, ResultsError> {
        match self {
            Results::Csv(table) => Ok(into_inner(table.1)?),
            Results::Parquet(mut table) => {
                table.write_group()?;
                let out = table.writer.into_inner()?;
                Ok(out.into_inner().map_err(|error| error.into_error())?)
            }
        }
    }
}

/// What a CSV writer writes to, when everything is there.
pub(crate) fn into_inner<W: Write>(mut writer: csv::Writer<W>) -> std::io::Result<W> {
    writer.flush()?;
    let flushed = writer.into_inner();
    flushed.map_err(|error| std::io::Error::from(error.error().kind()))
}

/// A game as a line of CSV.
pub(crate) fn csv_record<W: Write>(
    header: &Header,
    record: &Record,
    writer: &mut csv::Writer<W>,
) -> Result<(), ResultsError> {
    let written = cells(header, record)
        .into_iter()
        .enumerate()
        .map(|(n, cell)| match cell {
            Cell::Int(_) if n == 1 => record.seed.to_string(),
            Cell::Int(number) => number.to_string(),
            Cell::Text(text) => text.into_owned(),
            Cell::Empty => String::new(),
        });
    Ok(writer.write_record(written)?)
}

impl<W: Write + Send> ParquetTable<W> {
    fn write_group(&mut self) -> Result<(), ResultsError> {
        if self.waiting[0].is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (column, cells) in self.columns.iter().zip(&mut self.waiting) {
            let levels: Option<Vec<i16>> = column.optional.then(|| {
                cells
                    .iter()
                    .map(|cell| (*cell != Cell::Empty) as i16)
                    .collect()
            });
            let Some(mut writer) = group.next_column()? else {
                break;
            };
            match writer.untyped() {
                ColumnWriter::Int64ColumnWriter(typed) => {
                    let numbers: Vec<i64> = cells
                        .iter()
                        .filter_map(|cell| match cell {
                            Cell::Int(number) => Some(*number),
                            _ => None,
                        })
                        .collect();
                    typed.write_batch(&numbers, levels.as_deref(), None)?;
                }
                ColumnWriter::ByteArrayColumnWriter(typed) => {
                    let texts: Vec<ByteArray> = cells
                        .iter()
                        .filter_map(|cell| match cell {
                            Cell::Text(text) => Some(ByteArray::from(&**text)),
                            _ => None,
                        })
                        .collect();
                    typed.write_batch(&texts, levels.as_deref(), None)?;
                }
                _ => {}
            }
            writer.close()?;
            cells.clear();
        }
        group.close()?;
        Ok(())
    }
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.holds {
        Holds::Int => (Physical::INT64, None),
        Holds::Unsigned => {
            let unsigned = LogicalType::integer(64, false);
            (Physical::INT64, Some(unsigned))
        }
        Holds::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if column.optional {
        Repetition::OPTIONAL
    } else {
        Repetition::REQUIRED
    };
    Type::primitive_type_builder(&column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .with_converted_type(match column.holds {
            Holds::Int => ConvertedType::NONE,
            Holds::Unsigned => ConvertedType::UINT_64,
            Holds::Text => ConvertedType::UTF8,
        })
        .build()
}

/// Whether the columns of a Parquet file lie somewhere: its reader believes what is written of that.
fn has_sound_places(whole: &ParquetMetaData) -> bool {
    let columns = whole.row_groups().iter().flat_map(|group| group.columns());
    columns.into_iter().all(|column| {
        let places = [
            column.data_page_offset(),
            column.dictionary_page_offset().unwrap_or(0),
            column.compressed_size(),
            column.uncompressed_size(),
            column.num_values(),
        ];
        places.iter().all(|place| *place >= 0)
    })
}

/// A table being read.
pub struct ResultsReader {
    pub header: Header,
    records: RecordReader,
    file: Opened,
}

enum Opened {
    Parquet(Box<SerializedFileReader<File>>),
    Csv(Box<csv::Reader<BufReader<Take<File>>>>),
}

impl ResultsReader {
    /// Reads the header of a table. What it is the first bytes tell. Of a CSV file whose last line is not whole that line is left out: its
    /// run was killed.
    pub fn open(mut file: File) -> Result<ResultsReader, ResultsError> {
        let mut magic = Vec::new();
        Read::by_ref(&mut file).take(4).read_to_end(&mut magic)?;
        file.rewind()?;
        let (written, source) = if magic == b"PAR1" {
            let reader = SerializedFileReader::new(file).map_err(|error| {
                let message = format!("the file is not whole, was its run cut short? ({error})");
                ResultsError::NotResults(message)
            })?;
            if !has_sound_places(reader.metadata()) {
                let message = "the file is damaged".to_string();
                return Err(ResultsError::NotResults(message));
            }
            let pairs = reader.metadata().file_metadata().key_value_metadata();
            let pair = pairs.and_then(|pairs| pairs.iter().find(|pair| pair.key == KEY));
            let written = pair.and_then(|pair| pair.value.clone());
            (written, Opened::Parquet(Box::new(reader)))
        } else {
            let whole = whole_lines(&mut file)?;
            file.rewind()?;
            let mut reader = BufReader::new(file.take(whole));
            let mut line = String::new();
            reader.by_ref().take(LONGEST_HEADER).read_line(&mut line)?;
            let written = line.trim_end().strip_prefix(MARK).map(str::to_string);
            (
                written,
                Opened::Csv(Box::new(csv::Reader::from_reader(reader))),
            )
        };
        let written = written
            .ok_or_else(|| ResultsError::NotResults("they do not say of which game".to_string()))?;
        let header: Header = serde_json::from_str(&written).map_err(|error| {
            match serde_json::from_str::<serde_json::Value>(&written) {
                Ok(other)
                    if !(1..=u64::from(FORMAT))
                        .contains(&other["format"].as_u64().unwrap_or(0)) =>
                {
                    ResultsError::OtherFormat(other["format"].as_u64().unwrap_or(0) as u32)
                }
                _ => ResultsError::NotResults(error.to_string()),
            }
        })?;
        if !(1..=FORMAT).contains(&header.format) {
            return Err(ResultsError::OtherFormat(header.format));
        }
        if header.bots.len() != usize::from(header.players) {
            let message = format!("{} players, {} bots", header.players, header.bots.len());
            return Err(ResultsError::NotResults(message));
        }
        let too_many = [
            ("numbers", header.counted.len(), 4 * MOST_DECLARED),
            ("metrics", header.metrics.len(), MOST_DECLARED),
            // Some cards are in no match, and words are told among them.
            ("cards and words", header.items.len(), 2 * MOST_PIECES),
            ("spaces", header.spaces.len(), MOST_SPACES),
            ("sections", header.sections.len(), MOST_SPACES),
        ];
        for (what, count, most) in too_many {
            if count > most {
                let message = format!("{count} {what} are counted, and {most} are the most");
                return Err(ResultsError::NotResults(message));
            }
        }
        Ok(ResultsReader {
            records: RecordReader::new(header.clone()),
            header,
            file: source,
        })
    }

    /// Every record, in the order they were written.
    pub fn records(self, mut take: impl FnMut(Record)) -> Result<(), ResultsError> {
        let columns = self.records.columns();
        match self.file {
            Opened::Csv(mut reader) => {
                for row in reader.records() {
                    let row = row?;
                    let cells: Vec<Cell> = columns
                        .iter()
                        .zip(row.iter())
                        .map(|(column, written)| csv_cell(column, written))
                        .collect::<Result<_, _>>()?;
                    take(self.records.record(&cells)?);
                }
            }
            Opened::Parquet(reader) => {
                for group in 0..reader.num_row_groups() {
                    let group = reader.get_row_group(group)?;
                    let count = group.metadata().num_rows() as usize;
                    let read = (0..columns.len())
                        .map(|n| column_cells(group.get_column_reader(n)?, &columns[n], count))
                        .collect::<Result<Vec<_>, _>>()?;
                    let mut read: Vec<_> = read.into_iter().map(Vec::into_iter).collect();
                    for _ in 0..count {
                        let cells: Vec<Cell> = read
                            .iter_mut()
                            .map(|column| column.next().unwrap_or(Cell::Empty))
                            .collect();
                        take(self.records.record(&cells)?);
                    }
                }
            }
        }
        Ok(())
    }
}

fn csv_cell(column: &Column, written: &str) -> Result<Cell, BadCell> {
    let bad = || BadCell {
        column: column.name.clone(),
        found: written.to_string(),
    };
    Ok(match column.holds {
        _ if written.is_empty() && column.optional && column.holds != Holds::Text => Cell::Empty,
        Holds::Int => Cell::Int(written.parse().map_err(|_| bad())?),
        Holds::Unsigned => Cell::Int(written.parse::<u64>().map_err(|_| bad())? as i64),
        Holds::Text => Cell::Text(written.to_string().into()),
    })
}

fn column_cells(
    reader: ColumnReader,
    column: &Column,
    count: usize,
) -> Result<Vec<Cell>, ResultsError> {
    let mut levels: Vec<i16> = Vec::new();
    let found: Vec<Cell> = match reader {
        ColumnReader::Int64ColumnReader(mut typed) => {
            let mut numbers = Vec::new();
            let levels = column.optional.then_some(&mut levels);
            typed.read_records(count, levels, None, &mut numbers)?;
            numbers.into_iter().map(Cell::Int).collect()
        }
        ColumnReader::ByteArrayColumnReader(mut typed) => {
            let mut texts: Vec<ByteArray> = Vec::new();
            let levels = column.optional.then_some(&mut levels);
            typed.read_records(count, levels, None, &mut texts)?;
            let text = |text: ByteArray| {
                let text = text.as_utf8()?.to_string();
                Ok(Cell::Text(text.into()))
            };
            texts
                .into_iter()
                .map(text)
                .collect::<Result<_, ParquetError>>()?
        }
        _ => {
            let message = format!("the column `{}` is of another type", column.name);
            return Err(ResultsError::NotResults(message));
        }
    };
    if !column.optional {
        return Ok(found);
    }
    let mut found = found.into_iter();
    Ok(levels
        .into_iter()
        .map(|level| match level {
            0 => Cell::Empty,
            _ => found.next().unwrap_or(Cell::Empty),
        })
        .collect())
}
