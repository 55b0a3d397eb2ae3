use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use async_trait::async_trait;
use plenum_clients::{
    MAX_SHEET_BYTES, ReadSheet, ReadSheetError, Sheet, SheetFormat, SheetReader, SheetSeal, SheetWriter, TableChoice,
};
use plenum_kernel::PortFailure;
use plenum_result_format::{
    DocumentFailure, DocumentSeal, Letterhead, ResultDocuments, ResultsFile, TableFile, TableReader, UnreadableTable,
};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

use crate::sealing::Sealing;
use crate::workbook_check::{ZIP, is_encrypted, is_ole};
use crate::{csv_reading, csv_writing, results, signed_table_reading, xlsx_reading, xlsx_writing};

/// The name of this dependency in failures.
const WHAT: &str = "the reader and writer of files";

/// The number of files that are read or written at the same time; more wait for their turn. Each may take some hundred
/// MB.
const AT_A_TIME: usize = 2;

/// Reads and writes files on separate threads, so that other work does not wait.
#[derive(Clone, Debug)]
pub struct Documents {
    turns: Arc<Semaphore>,
    /// One at a time, because the minutes of a large congress take the longest by far. Other documents do not wait for
    /// it.
    turn_for_minutes: Arc<Semaphore>,
}

impl Documents {
    /// A reader and writer without work.
    pub fn new() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_A_TIME)), turn_for_minutes: Arc::new(Semaphore::new(1)) }
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Result<T, JoinError>, PortFailure> {
        run_in_turn(&self.turns, work).await
    }
}

/// Runs `work` on a blocking thread when its turn comes. A panic becomes an error.
async fn run_in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Result<T, JoinError>, PortFailure> {
    let turn = Arc::clone(turns).acquire_owned().await;
    let turn = turn.map_err(|closed| PortFailure::new(WHAT, closed))?;
    let outcome = spawn_blocking(move || {
        // Released at the end of the work, even if the caller no longer waits for it.
        let _turn = turn;
        work()
    });
    Ok(outcome.await)
}

impl Default for Documents {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl SheetReader for Documents {
    async fn read(&self, file_name: &str, content: Vec<u8>, choice: TableChoice) -> Result<ReadSheet, ReadSheetError> {
        let kind = Kind::of(file_name)?;
        if content.len() > MAX_SHEET_BYTES {
            return Err(ReadSheetError::TooLarge);
        }
        // The workbook library expects files from spreadsheets; other files may make it panic.
        self.run(move || read(kind, &content, &choice)).await?.unwrap_or(Err(ReadSheetError::NoTable))
    }
}

#[async_trait]
impl SheetWriter for Documents {
    async fn write(&self, sheet: Sheet, format: SheetFormat) -> Result<Vec<u8>, PortFailure> {
        let written = self.run(move || match format {
            SheetFormat::Csv => csv_writing::write(&sheet).map_err(|error| PortFailure::new(WHAT, error)),
            SheetFormat::Xlsx => xlsx_writing::write(&sheet).map_err(|error| PortFailure::new(WHAT, error)),
        });
        written.await?.unwrap_or_else(|panic| Err(PortFailure::new(WHAT, panic)))
    }

    async fn write_signed(&self, sheet: Sheet, format: SheetFormat, seal: SheetSeal) -> Result<Vec<u8>, PortFailure> {
        let written = self.run(move || {
            let sealing = Sealing { lines: seal.lines, keys: &*seal.keys };
            let written = match format {
                SheetFormat::Csv => csv_writing::write_signed(&sheet, &sealing),
                SheetFormat::Xlsx => xlsx_writing::write_signed(&sheet, &sealing),
            };
            written.map_err(|error| PortFailure::new(WHAT, error))
        });
        written.await?.unwrap_or_else(|panic| Err(PortFailure::new(WHAT, panic)))
    }
}

impl TableReader for Documents {
    fn read_table(&self, content: &[u8], most: u64) -> Result<TableFile, UnreadableTable> {
        // The workbook library expects files from spreadsheets; other files may make it panic.
        let read = catch_unwind(AssertUnwindSafe(|| signed_table_reading::read(content, most)));
        read.unwrap_or(Err(UnreadableTable::Foreign))
    }
}

/// Creates a document of results. An error or panic of a library becomes a failure with a text.
async fn make<E: ToString>(
    turns: &Arc<Semaphore>,
    results: ResultsFile,
    write: impl FnOnce(&ResultsFile) -> Result<Vec<u8>, E> + Send + 'static,
) -> Result<Vec<u8>, DocumentFailure> {
    let write = move || write(&results::with_agenda_items(results)).map_err(|error| DocumentFailure(error.to_string()));
    let made = run_in_turn(turns, write).await;
    let made = made.map_err(|failure| DocumentFailure(failure.to_string()))?;
    made.unwrap_or_else(|panic| Err(DocumentFailure(panic.to_string())))
}

#[async_trait]
impl ResultDocuments for Documents {
    async fn csv(&self, results: ResultsFile, seal: DocumentSeal) -> Result<Vec<u8>, DocumentFailure> {
        make(&self.turns, results, move |results| results::csv::write(results, &seal)).await
    }

    async fn xlsx(&self, results: ResultsFile, seal: DocumentSeal) -> Result<Vec<u8>, DocumentFailure> {
        make(&self.turns, results, move |results| results::xlsx::write(results, &seal)).await
    }

    async fn minutes(
        &self,
        results: ResultsFile,
        seal: DocumentSeal,
        time_zone: chrono_tz::Tz,
        letterhead: Letterhead,
    ) -> Result<Vec<u8>, DocumentFailure> {
        make(&self.turn_for_minutes, results, move |results| {
            results::minutes::write(results, &seal, time_zone, &letterhead)
        })
        .await
    }
}

/// The kind of a file, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text with separators.
    Text,
    /// A workbook of any program.
    Workbook,
}

impl Kind {
    fn of(file_name: &str) -> Result<Self, ReadSheetError> {
        let ending = file_name.trim().rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("csv" | "txt" | "tsv") => Ok(Self::Text),
            Some("xlsx" | "xlsm") => Ok(Self::Workbook),
            Some("xls" | "xlsb" | "ods" | "numbers") => Err(ReadSheetError::OtherWorkbook),
            _ => Err(ReadSheetError::UnknownKind),
        }
    }
}

/// Reads the file by its content. The name has only decided whether to try.
pub(crate) fn read(kind: Kind, content: &[u8], choice: &TableChoice) -> Result<ReadSheet, ReadSheetError> {
    if content.iter().all(u8::is_ascii_whitespace) {
        return Err(ReadSheetError::Empty);
    }
    if content.starts_with(ZIP) {
        return xlsx_reading::read(content, choice);
    }
    if is_ole(content) {
        return Err(if is_encrypted(content) { ReadSheetError::Protected } else { ReadSheetError::OtherWorkbook });
    }
    match kind {
        Kind::Text => csv_reading::read(content, choice),
        Kind::Workbook => Err(ReadSheetError::NoTable),
    }
}
