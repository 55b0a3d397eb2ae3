//! Archives of meetings: written, shown, imported and listed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use plenum_adapter_documents::Documents;
use plenum_adapter_postgres::{
    Db, DbSettings, PostgresArchives, PostgresMeetingAudit, PostgresMeetingRecords, PostgresRecords,
    PostgresTimestamps, migrate,
};
use plenum_adapter_security::SystemClock;
use plenum_kernel::{ArchiveId, ClientId, Clock as _, EvidenceKeys, MeetingId, PageRequest, RoundId};
use plenum_records::{
    ArchiveParts, CanonicalRecords, KeptStores, archive_file, document_seal, kept_results, sign_results,
};
use plenum_result_format::{
    ArchiveFile, ArchivedMinutes, Letterhead, MAX_ARCHIVE_BYTES, MeetingAudit as _, ResultDocuments as _, canonical,
    sha256,
};
use plenum_verify::{Exported, KnownKeys, Tables, Verdict, examine_archive, read_exported};
use plenum_voting::{Archives as _, ImportedArchive, MeetingRecords as _, RecordWriter, ResultRecords};
use uuid::Uuid;

use super::CommandError;
use super::addresses::home_of;
use super::show_archive::show;
use super::verify::{Verification, counted, known_keys, own_authorities, read_file, unreadable};
use crate::config::evidence_key;
use crate::output::{one_line, print_line};
use crate::runtime::runtime;
use crate::{Config, Database};

/// The commands for archives.
#[derive(Debug, Subcommand)]
pub(super) enum ArchiveCommand {
    /// Show an archive on the terminal: meeting, results, decisions, log, and whether it is unchanged since it was signed. Needs no database.
    /// Exits like `verify`.
    Show {
        /// The archive.
        file: PathBuf,
        /// Also write the minutes into this file.
        #[arg(long, value_name = "PDF")]
        minutes: Option<PathBuf>,
        #[command(flatten)]
        keys: PinnedKeys,
    },
    /// Import an archive for reading. It stays apart from meetings. A repeated import changes nothing.
    Import {
        /// The archive.
        file: PathBuf,
        #[command(flatten)]
        keys: PinnedKeys,
    },
    /// Write the archive of a deleted meeting, by its id or by the hash of one of its records. Organizers download that of a
    /// meeting that still exists.
    Write {
        /// The target. An existing file is never replaced.
        file: PathBuf,
        /// The meeting's id.
        #[arg(long, value_name = "ID", required_unless_present = "record", conflicts_with = "record")]
        meeting: Option<Uuid>,
        /// The hash of one of its records.
        #[arg(long, value_name = "HASH")]
        record: Option<String>,
        /// The time zone of the minutes.
        #[arg(long, default_value = "UTC")]
        time_zone: chrono_tz::Tz,
    },
    /// Show an imported archive, as `show` shows a file.
    Read {
        /// Its id, which `import` and `list` print.
        id: Uuid,
        /// Also write the archive into this file, as it was imported.
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        keys: PinnedKeys,
    },
    /// Remove an imported archive. The platform's audit log records this.
    Remove {
        /// Its id, which `import` and `list` print.
        id: Uuid,
    },
    /// List deleted meetings with records, and imported archives.
    List,
}

/// The keys that an archive must be signed with.
#[derive(Debug, Args)]
pub(super) struct PinnedKeys {
    /// The fingerprint of the key that the file must be signed with, or of a key before it. Default: the keys of this
    /// installation.
    #[arg(long, value_name = "FINGERPRINT")]
    key: Vec<String>,
    /// A file with the published keys of the installation that must have signed it.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
}

/// An archive with its content and the known keys.
struct Read {
    content: Vec<u8>,
    archive: Box<ArchiveFile>,
    known: KnownKeys,
}

fn read(file: &Path, keys: &PinnedKeys) -> Result<Read, String> {
    let size = std::fs::metadata(file).map_err(|error| error.to_string())?.len();
    if size > MAX_ARCHIVE_BYTES {
        return Err(format!("it is larger than {MAX_ARCHIVE_BYTES} bytes"));
    }
    let (content, exported) = read_file(file)?;
    let Exported::Archive(archive) = exported else { return Err("it is not an archive".to_owned()) };
    Ok(Read { content, archive, known: keys.known()? })
}

impl PinnedKeys {
    fn known(&self) -> Result<KnownKeys, String> {
        let file = Path::new("");
        known_keys(&Verification {
            file,
            since: None,
            keys: &self.key,
            key_file: self.keys.as_deref(),
            timestamp_certificates: None,
        })
    }
}

/// Shows an archive. `None` for the commands that need a database.
pub(super) fn run_alone(command: &ArchiveCommand) -> Option<ExitCode> {
    let ArchiveCommand::Show { file, minutes, keys } = command else { return None };
    let read = match read(file, keys) {
        Ok(read) => read,
        Err(reason) => return Some(unreadable(file, &reason)),
    };
    let shown = show(&read.content, &read.archive, &read.known);
    let Some(target) = minutes else { return Some(shown) };
    let pdf = read.archive.minutes.content();
    let written = pdf.ok_or_else(|| "they are not base64".to_owned()).and_then(|pdf| write_new(target, &pdf));
    match written {
        Ok(()) => Some(shown),
        Err(reason) => {
            print_line(&format!("The minutes were not written to {}: {reason}.", target.display()));
            Some(ExitCode::FAILURE)
        }
    }
}

/// Writes a file that does not exist yet.
fn write_new(file: &Path, content: &[u8]) -> Result<(), String> {
    use std::io::Write as _;
    let mut target = std::fs::File::create_new(file).map_err(|error| error.to_string())?;
    target.write_all(content).and_then(|()| target.sync_all()).map_err(|error| error.to_string())
}

/// Runs a command on the database.
pub(super) fn run(config: &Config, command: ArchiveCommand) -> Result<ExitCode, CommandError> {
    if let ArchiveCommand::Import { file, keys } = &command {
        // Before a database is started for it.
        let read = match read(file, keys) {
            Ok(read) => read,
            Err(reason) => return Ok(unreadable(file, &reason)),
        };
        return import(config, read);
    }
    let database = Database::open_beside(config)?;
    let outcome = runtime()?.block_on(async {
        migrate(database.url()).await?;
        let db = Db::new(&DbSettings::new(database.url().to_owned()))?;
        match command {
            ArchiveCommand::Write { file, meeting, record, time_zone } => {
                write(config, &db, Wanted { file, meeting, record, time_zone }).await?;
            }
            ArchiveCommand::Read { id, output, keys } => {
                return read_imported(&db, id, output.as_deref(), &keys).await;
            }
            ArchiveCommand::Remove { id } => {
                if !PostgresArchives::new(db).remove(ArchiveId::from_uuid(id)).await? {
                    return Err("there is no such archive: `plenum archive list` lists them".into());
                }
                print_line(&format!("Removed the archive {id}."));
            }
            // These two were run before.
            ArchiveCommand::Show { .. } | ArchiveCommand::Import { .. } => {}
            ArchiveCommand::List => list(config, &db).await?,
        }
        Ok::<_, CommandError>(ExitCode::SUCCESS)
    });
    database.close()?;
    outcome
}

/// Shows an imported archive.
async fn read_imported(db: &Db, id: Uuid, output: Option<&Path>, keys: &PinnedKeys) -> Result<ExitCode, CommandError> {
    let content = PostgresArchives::new(db.clone()).content(ArchiveId::from_uuid(id)).await?;
    let content = content.ok_or("there is no such archive: `plenum archive list` lists them")?;
    let tables = Tables { reader: &Documents::new(), most: MAX_ARCHIVE_BYTES };
    let Exported::Archive(archive) = read_exported(&content, tables)? else {
        return Err("it is not an archive".into());
    };
    if let Some(target) = output {
        write_new(target, &content).map_err(|reason| format!("cannot write to {}: {reason}", target.display()))?;
    }
    Ok(show(&content, &archive, &keys.known()?))
}

fn import(config: &Config, read: Read) -> Result<ExitCode, CommandError> {
    let Read { content, archive, known } = read;
    let (key, is_origin_known) = match examine_archive(&content, &archive, &known, &own_authorities()).verdict() {
        Verdict::Signed(key) => (key, true),
        Verdict::OriginUnknown(key) => (key.unwrap_or_default(), false),
        Verdict::NotConsistent => {
            print_line("The archive is not consistent, and was not imported. `plenum verify` names every place.");
            return Ok(ExitCode::from(super::verify::DIFFERS));
        }
    };
    let imported = imported(&content, &archive, key, is_origin_known)?;
    let (id, title) = (imported.id, one_line(&imported.title));
    let database = Database::open_beside(config)?;
    let outcome = runtime()?.block_on(async {
        migrate(database.url()).await?;
        let db = Db::new(&DbSettings::new(database.url().to_owned()))?;
        Ok::<_, CommandError>(PostgresArchives::new(db).keep(imported, content).await?)
    });
    database.close()?;
    let outcome = if outcome? { "Imported" } else { "Was imported before:" };
    let origin = if is_origin_known { "" } else { " Its origin is unknown: compare its key, or import it with --key." };
    print_line(&format!("{outcome} {title} ({id}).{origin}"));
    Ok(ExitCode::SUCCESS)
}

fn imported(
    content: &[u8],
    archive: &ArchiveFile,
    key: String,
    is_origin_known: bool,
) -> Result<ImportedArchive, CommandError> {
    // The canonical form: the same archive with other spaces is the same archive.
    let bare = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let hash = sha256(&canonical(&serde_json::from_slice::<serde_json::Value>(bare)?));
    let meeting = &archive.results.meeting;
    Ok(ImportedArchive {
        id: ArchiveId::from_uuid(Uuid::parse_str(&hash[..32])?),
        hash,
        organization_id: archive.organization_id,
        organization: meeting.organization.clone(),
        meeting: MeetingId::from_uuid(meeting.id),
        title: meeting.title.clone(),
        scheduled_start: meeting.scheduled_start,
        rounds: u32::try_from(archive.results.rounds.len())?,
        key,
        is_origin_known,
        archived_at: archive.archived_at,
        imported_at: SystemClock.now(),
    })
}

struct Wanted {
    file: PathBuf,
    meeting: Option<Uuid>,
    record: Option<String>,
    time_zone: chrono_tz::Tz,
}

/// The keys and the records of this installation.
type Recorded = (Arc<dyn EvidenceKeys>, Arc<dyn ResultRecords>);

fn recorded(config: &Config, db: &Db) -> Result<Recorded, CommandError> {
    let ring = evidence_key::load(&evidence_key::path(config))?;
    let keys: Arc<dyn EvidenceKeys> = Arc::new(ring.ok_or("there is no evidence key here: it signs the archive")?);
    let writer: Arc<dyn RecordWriter> = Arc::new(CanonicalRecords::new(Arc::clone(&keys)));
    Ok((keys, Arc::new(PostgresRecords::new(db.clone(), writer))))
}

/// Writes the archive of a deleted meeting, from its records and the audit log.
async fn write(config: &Config, db: &Db, wanted: Wanted) -> Result<(), CommandError> {
    let (keys, records) = recorded(config, db)?;
    let place = match (&wanted.record, wanted.meeting) {
        (Some(hash), _) => records.find(&hash.to_ascii_lowercase()).await?,
        (None, meeting) => {
            let all = records.meetings(None, u32::MAX).await?;
            all.into_iter().find(|(_, found)| Some(found.as_uuid()) == meeting)
        }
    };
    let (client, meeting) = place.ok_or("there is no such record")?;
    if PostgresMeetingRecords::new(db.clone()).record(client, meeting).await?.is_some() {
        return Err(format!(
            "the meeting {meeting} was not deleted: its organizers download the archive from its results"
        )
        .into());
    }
    let now = SystemClock.now();
    let timestamps = PostgresTimestamps::new(db.clone());
    let stores = KeptStores { records: &*records, timestamps: &timestamps };
    let results = kept_results(stores, &*keys, (client, meeting), now).await?;
    let mut results = results.ok_or("no record of this meeting can be read: `plenum verify --database` says why")?;
    let has_elections = results.rounds.iter().any(|round| round.result.election.is_some());
    sign_results(&mut results, &*keys);
    let seal = document_seal(Arc::clone(&keys), format!("{}/verify", home_of(config, config.listen)));
    let pdf = Documents::new().minutes(results.clone(), seal, wanted.time_zone, Letterhead::default()).await?;
    let audit = PostgresMeetingAudit::new(db).of_meeting(client, meeting).await?;
    let minutes = ArchivedMinutes::new(wanted.time_zone.name().to_owned(), &pdf);
    let parts = ArchiveParts { client, is_meeting_deleted: true, results, minutes, audit, archived_at: now };
    let content = serde_json::to_vec_pretty(&archive_file(parts, &*keys))?;
    write_new(&wanted.file, &content)
        .map_err(|reason| format!("cannot write to {}: {reason}", wanted.file.display()))?;
    print_line(&format!("Wrote the archive of the deleted meeting {meeting} to {}.", wanted.file.display()));
    if has_elections {
        print_line("The answers of the elected were deleted with the meeting, so it does not state who has the seats.");
    }
    Ok(())
}

async fn list(config: &Config, db: &Db) -> Result<(), CommandError> {
    let (keys, records) = recorded(config, db)?;
    let meetings = PostgresMeetingRecords::new(db.clone());
    print_line("Deleted meetings with records:");
    for (client, meeting) in records.meetings(None, u32::MAX).await? {
        // A meeting without a declared result may have a closing record.
        let heads = records.heads(client, meeting).await?;
        let Some(last) = heads.last() else { continue };
        if meetings.record(client, meeting).await?.is_none() {
            let name = name_in_record(&*records, &*keys, (client, meeting, last.round)).await?;
            print_line(&format!("{meeting}  {name}, {}", counted(heads.len(), "record")));
        }
    }
    print_line("Imported archives:");
    let archives = PostgresArchives::new(db.clone());
    for page in 1.. {
        let found = archives.list(PageRequest { page, page_size: plenum_kernel::MAX_PAGE_SIZE }).await?;
        for archive in &found.rows {
            let origin = if archive.is_origin_known { "signed by" } else { "of unknown origin, signed by" };
            let name = one_line(&format!("{}, {}", archive.title, archive.organization));
            let rounds = counted(archive.rounds as usize, "round");
            print_line(&format!("{}  {name}, {rounds}, {origin} {}", archive.id, archive.key));
        }
        if found.rows.is_empty() {
            break;
        }
    }
    Ok(())
}

/// The title of a deleted meeting and its organization, by the record of this round.
async fn name_in_record(
    records: &dyn ResultRecords,
    keys: &dyn EvidenceKeys,
    place: (ClientId, MeetingId, RoundId),
) -> Result<String, CommandError> {
    let (client, meeting, round) = place;
    let stored = records.load(client, meeting, vec![round]).await?.pop();
    let record = stored.and_then(|stored| plenum_records::read_record(&stored, keys).ok());
    Ok(record.map_or_else(
        || "records that cannot be read".to_owned(),
        |record| one_line(&format!("{}, {}", record.meeting.title, record.meeting.organization)),
    ))
}
