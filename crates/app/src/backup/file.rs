use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek as _, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use plenum_adapter_postgres::BACKUP_FORMAT;
use plenum_adapter_security::Checksum;
use serde_json::{Value, json};

/// Compresses the lines of a backup, and writes their checksum as the last line.
pub(crate) struct BackupWriter<W: Write> {
    gzip: GzEncoder<W>,
    checksum: Checksum,
}

impl<W: Write> BackupWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { gzip: GzEncoder::new(out, Compression::fast()), checksum: Checksum::default() }
    }

    /// Writes the checksum.
    ///
    /// # Errors
    /// Fails when the output cannot be written.
    pub(crate) fn seal(mut self) -> io::Result<W> {
        writeln!(self.gzip, "{}", json!({ "sha256": self.checksum.finish() }))?;
        self.gzip.finish()
    }
}

impl<W: Write> Write for BackupWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.gzip.write(bytes)?;
        self.checksum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.gzip.flush()
    }
}

/// The lines of a backup.
pub(crate) type BackupLines = BufReader<MultiGzDecoder<BufReader<File>>>;

/// Reads the whole file once to verify its checksum, and returns its lines from the first on.
///
/// # Errors
/// States why the file cannot be restored.
pub(crate) fn open_backup(mut file: File) -> Result<BackupLines, String> {
    check(lines_of(file.try_clone().map_err(|error| error.to_string())?))?;
    file.rewind().map_err(|error| error.to_string())?;
    Ok(lines_of(file))
}

fn lines_of(file: File) -> BackupLines {
    BufReader::new(MultiGzDecoder::new(BufReader::new(file)))
}

fn check(mut lines: impl BufRead) -> Result<(), String> {
    let damaged = |error: io::Error| format!("it is damaged: {error}");
    let mut header = Vec::new();
    // A file that is not a backup may have one very long line.
    let read = (&mut lines).take(1_000_000).read_until(b'\n', &mut header);
    let format = read.ok().and_then(|_| serde_json::from_slice::<Value>(&header).ok());
    match format.as_ref().and_then(|header| header["format"].as_str()) {
        Some(BACKUP_FORMAT) => {}
        Some(other) => {
            return Err(format!("it has the format {other}, and this version of Plenum reads {BACKUP_FORMAT}"));
        }
        None => return Err("it is not a backup of Plenum".to_owned()),
    }
    let mut checksum = Checksum::default();
    let mut last = header;
    loop {
        let mut line = Vec::new();
        if lines.read_until(b'\n', &mut line).map_err(damaged)? == 0 {
            break;
        }
        checksum.add(&last);
        last = line;
    }
    let seal: Value = serde_json::from_slice(&last).unwrap_or_default();
    match seal["sha256"].as_str() {
        Some(sealed) if sealed == checksum.finish() => Ok(()),
        Some(_) => Err("it is damaged: its content does not match its checksum".to_owned()),
        None => Err("it is damaged: its end is missing".to_owned()),
    }
}
