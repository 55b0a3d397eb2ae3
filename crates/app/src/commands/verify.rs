use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plenum_adapter_documents::Documents;
use plenum_kernel::EvidenceKeys as _;
use plenum_result_format::{ArchiveFile, AuditFile};
use plenum_verify::{
    CheckedTimestamp, Examination, Exported, FileKind, KnownAuthorities, KnownKeys, Refusal, Tables, Verdict, examine,
    examine_archive, read_exported, read_keys, set_back_sentence, verify_audit,
};

use crate::config::{evidence_key, timestamp_certificates};
use crate::output::{one_line, print_line};

/// Exit code for a difference.
pub(super) const DIFFERS: u8 = 1;
/// Exit code for what cannot be verified.
pub(super) const UNREADABLE: u8 = 2;
/// The exit code for what is consistent and cannot be checked further without a key.
pub(super) const ORIGIN_UNKNOWN: u8 = 3;

/// The file to verify, and the keys.
#[derive(Clone, Debug)]
pub(super) struct Verification<'a> {
    /// The file.
    pub(super) file: &'a Path,
    /// An earlier export of the same audit log.
    pub(super) since: Option<&'a Path>,
    /// The fingerprints of the keys that the file must be signed with.
    pub(super) keys: &'a [String],
    /// A file with such keys.
    pub(super) key_file: Option<&'a Path>,
    /// A file with the certificates that must vouch for timestamps.
    pub(super) timestamp_certificates: Option<&'a Path>,
}

/// Recounts the results of a file, or checks the chain of an audit log, checks its signer, and prints the outcome.
pub(super) fn run(verification: &Verification<'_>) -> ExitCode {
    let file = verification.file;
    let (content, exported) = match read_file(file) {
        Ok(read) => read,
        Err(reason) => return unreadable(file, &reason),
    };
    let known = match known_keys(verification) {
        Ok(known) => known,
        Err(reason) => return unreadable(verification.key_file.unwrap_or(file), &reason),
    };
    let authorities = match verification.timestamp_certificates.map(timestamp_certificates::read).transpose() {
        Ok(pinned) => pinned.map_or_else(own_authorities, KnownAuthorities::Pinned),
        Err(reason) => return unreadable(file, &reason.to_string()),
    };
    if let (Exported::Archive(archive), None) = (&exported, verification.since) {
        print_line(&archive_title(archive));
        return verify_archive(&content, archive, &known, &authorities);
    }
    let mut found = examine(&content, &exported, &known, &authorities);
    match (&exported, verification.since) {
        (_, None) => {}
        (Exported::Audit(log), Some(since)) => match read_earlier(since) {
            Ok(earlier) => found.faults = verify_audit(log, Some(&earlier)),
            Err(reason) => return unreadable(since, &reason),
        },
        (_, Some(_)) => return unreadable(file, "only audit logs as JSON have an earlier export"),
    }
    print_findings(&found);
    conclude(&found)
}

/// The content of a file, and its kind.
pub(super) fn read_file(file: &Path) -> Result<(Vec<u8>, Exported), String> {
    let content = std::fs::read(file).map_err(|error| error.to_string())?;
    // A local file may be large.
    let tables = Tables { reader: &Documents::new(), most: u64::MAX };
    let exported = read_exported(&content, tables).map_err(|reason| reason.to_string())?;
    Ok((content, exported))
}

fn read_earlier(file: &Path) -> Result<AuditFile, String> {
    match read_file(file)?.1 {
        Exported::Audit(earlier) => Ok(*earlier),
        Exported::Results(_) | Exported::Archive(_) | Exported::Table(_) => {
            Err("it is not an audit log as JSON".to_owned())
        }
    }
}

/// The named keys, or otherwise those of an installation whose key file can be read here.
pub(super) fn known_keys(verification: &Verification<'_>) -> Result<KnownKeys, String> {
    let mut pinned = Vec::new();
    for key in verification.keys {
        pinned.push(fingerprint(key).ok_or_else(|| format!("{key:?} is not a fingerprint of 64 hexadecimal digits"))?);
    }
    if let Some(file) = verification.key_file {
        let content = std::fs::read(file).map_err(|error| error.to_string())?;
        let keys = read_keys(&content).ok_or("it contains no published keys")?;
        pinned.extend(keys.into_iter().map(|key| key.fingerprint));
    }
    if !pinned.is_empty() {
        return Ok(KnownKeys::Pinned(pinned));
    }
    let own = evidence_key::load(&own_key_file()).ok().flatten();
    Ok(own.map_or(KnownKeys::None, |ring| {
        KnownKeys::Own(ring.published().iter().map(|key| key.fingerprint.clone()).collect())
    }))
}

/// A fingerprint as people type it: in groups, or in capitals.
fn fingerprint(typed: &str) -> Option<String> {
    let digits: String = typed.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
    let is_fingerprint = digits.len() == 64 && digits.chars().all(|letter| letter.is_ascii_hexdigit());
    is_fingerprint.then(|| digits.to_ascii_lowercase())
}

/// The key file of an installation here. The rest of the configuration may be invalid or missing: a file can be verified
/// anywhere.
fn own_key_file() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("PLENUM_EVIDENCE_KEY_FILE")
        .unwrap_or_else(|| evidence_key::in_folder(&set("PLENUM_DATA_DIR").unwrap_or_else(|| PathBuf::from(".plenum"))))
}

/// The certificates of timestamp authorities of an installation here.
pub(super) fn own_authorities() -> KnownAuthorities {
    let file = std::env::var_os("PLENUM_TIMESTAMP_CERTIFICATES").filter(|value| !value.is_empty());
    let read = file.and_then(|file| timestamp_certificates::read(Path::new(&file)).ok());
    read.map_or(KnownAuthorities::None, KnownAuthorities::Own)
}

/// The meeting of an archive.
pub(super) fn archive_title(archive: &ArchiveFile) -> String {
    let meeting = &archive.results.meeting;
    one_line(&format!("Archive of {}, {}, made {}", meeting.title, meeting.organization, archive.archived_at))
}

/// Checks an archive, and prints the outcome.
pub(super) fn verify_archive(
    content: &[u8],
    archive: &ArchiveFile,
    known: &KnownKeys,
    authorities: &KnownAuthorities,
) -> ExitCode {
    let audit = &archive.audit;
    let left_out =
        if audit.left_out > 0 { format!(", {} older ones are left out", audit.left_out) } else { String::new() };
    print_line(&format!("{} entries of the audit log{left_out}", audit.entries.len()));
    let found = examine_archive(content, archive, known, authorities);
    print_recount(&found);
    conclude(&found)
}

/// Prints the checked parts, and all contradictions except those in the signature.
fn print_findings(found: &Examination) {
    match found.kind {
        FileKind::AuditLog => print_chain(found),
        FileKind::AuditTable => print_line("Entries of an audit log, as a table: nothing in it can be counted again."),
        FileKind::ResultsTable => {
            print_meeting(found);
            print_line("Results as a table: nothing in it can be counted again. The JSON export can.");
        }
        FileKind::AttendanceTable => {
            print_meeting(found);
            print_line("Attendance as a table: only its signature is checked.");
        }
        FileKind::ProxiesTable => {
            print_meeting(found);
            print_line("Proxies as a table: only its signature is checked.");
        }
        FileKind::Results | FileKind::Archive => {
            print_meeting(found);
            print_recount(found);
        }
    }
}

fn print_meeting(found: &Examination) {
    print_line(&format!("{}, {}", one_line(&found.title), one_line(&found.organization)));
}

fn print_chain(found: &Examination) {
    if let Some((entries, chain)) = &found.audit {
        print_line(&format!("{entries} entries of the audit log {chain}"));
    }
    if let Some(purged) = &found.purged {
        print_line(&format!("Entries 1 to {} were purged. A purge document in the file says so.", purged.number));
    }
    for number in &found.set_back {
        print_line(&format!("NOTE     {}", set_back_sentence(*number)));
    }
    for fault in &found.faults {
        print_line(&format!("BROKEN   {}", one_line(&fault.to_string())));
    }
    print_line(if found.faults.is_empty() { "The chain is intact." } else { "The chain is broken." });
}

/// Prints the reason why a file cannot be verified.
pub(super) fn unreadable(file: &Path, reason: &str) -> ExitCode {
    print_line(&format!("{} cannot be verified: {reason}.", file.display()));
    ExitCode::from(UNREADABLE)
}

fn print_recount(found: &Examination) {
    for round in &found.rounds {
        let outcome = if round.differences.is_empty() { "agrees " } else { "DIFFERS" };
        print_line(&format!("{outcome}  {} (register {}, ballots {})", round.name, round.register, round.ballots));
        print_line(&format!("         {}", round.recounted.words()));
        for difference in &round.differences {
            print_line(&format!("         {}", one_line(&difference.to_string())));
        }
    }
    for difference in &found.differences {
        print_line(&format!("DIFFERS  {}", one_line(&difference.to_string())));
    }
    if found.is_consistent() {
        let rounds = match found.rounds.len() {
            0 => "it contains no round".to_owned(),
            number => counted(number, "round"),
        };
        print_line(&format!("The file agrees with the recount: {rounds}."));
    } else {
        print_line("The file does not agree with the recount.");
    }
    print_timestamps(&found.timestamps);
}

/// Prints which records an authority has timestamped, and whether the authority is known.
fn print_timestamps(timestamps: &[CheckedTimestamp]) {
    for CheckedTimestamp { hash, authority, at, is_authority_known } in timestamps {
        let known = match is_authority_known {
            Some(true) => "",
            Some(false) => " (an authority for which the certificates here do not vouch)",
            None => " (the authority is not checked)",
        };
        print_line(&one_line(&format!("Timestamped by {authority} at {at}: record {hash}{known}")));
    }
    if timestamps.iter().any(|timestamp| timestamp.is_authority_known.is_none()) {
        print_line(
            "Whose timestamps these are was not checked: name the authority's certificates with --timestamp-certificates.",
        );
    }
}

/// Prints the verdict: one of three.
fn conclude(found: &Examination) -> ExitCode {
    if let Err(Refusal(differences)) = &found.origin {
        for difference in differences {
            print_line(&format!("CHANGED  {}", one_line(&difference.to_string())));
        }
    }
    match found.verdict() {
        Verdict::NotConsistent => {
            print_line("Verdict: not consistent.");
            ExitCode::from(DIFFERS)
        }
        Verdict::Signed(key) => {
            print_line(&format!("Verdict: signed by {key} and consistent."));
            ExitCode::SUCCESS
        }
        Verdict::OriginUnknown(key) => {
            print_line(&match key {
                Some(key) => format!(
                    "The file is signed by {}, a key that is not known here. Compare it with the fingerprint that the organization \
                     has published, and repeat with --key.",
                    one_line(&key)
                ),
                None => "The file is not signed.".to_owned(),
            });
            print_line("Verdict: consistent, origin unknown.");
            ExitCode::from(ORIGIN_UNKNOWN)
        }
    }
}

/// A number of things as text, such as `3 rounds` or `2 entries`.
pub(super) fn counted(number: usize, one: &str) -> String {
    match one.strip_suffix("ry") {
        _ if number == 1 => format!("1 {one}"),
        Some(stem) => format!("{number} {stem}ries"),
        None => format!("{number} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_as_people_type_it() {
        let digits = "0123456789abcdef".repeat(4);
        let groups = digits.as_bytes().chunks(8).map(|group| String::from_utf8_lossy(group).to_uppercase());
        assert_eq!(fingerprint(&groups.collect::<Vec<_>>().join(" ")), Some(digits.clone()));
        assert_eq!(fingerprint(&digits[1..]), None);
        assert_eq!(fingerprint(&digits.replace('0', "g")), None);
    }
}
