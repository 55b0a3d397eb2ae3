//! A whole audit log as one JSON document. The server streams it while reading, because it may not fit into memory.

use std::error::Error;
use std::io;

use actix_web::web::{Bytes, Data};
use chrono::{SecondsFormat, SubsecRound as _};
use futures_util::Stream;
use futures_util::stream::unfold;
use plenum_clients::{AuditEntry, AuditLog, AuditScope, ChainState};
use plenum_kernel::{Clock, EvidenceKeys, PortFailure};
use plenum_records::{sealed_purges, sign_audit};
use plenum_result_format::{AUDIT_FORMAT, AuditFile, AuditFileEntry, AuditHead, SealedPurge, hexadecimal};
use plenum_voting::PurgeDocuments;

use crate::audit::views::change;

/// The number of entries read at a time.
const PAGE: u32 = 1_000;

/// The state of a document in transfer.
struct Sending {
    log: Data<AuditLog>,
    scope: AuditScope,
    /// The number of the last entry sent.
    sent: u64,
    /// The number of the last entry to send.
    last: u64,
    beginning: Option<String>,
    end: String,
    is_done: bool,
}

/// Streams the document, up to the end of the chain at the time of the request. A failure truncates the document, so
/// that it cannot be mistaken for a complete one.
pub(super) async fn document(
    (log, purges): (Data<AuditLog>, &dyn PurgeDocuments),
    scope: AuditScope,
    clock: &dyn Clock,
    keys: &dyn EvidenceKeys,
) -> Result<impl Stream<Item = io::Result<Bytes>> + use<>, PortFailure> {
    let state = log.chain_state(scope).await?;
    let purges = sealed_purges(&purges.documents(Some(scope.chain())).await?);
    let head = head(scope, &state, purges, clock);
    let (beginning, end) = (Some(beginning(&head)), end(&head, keys));
    let last = state.head.map_or(0, |(number, _)| number);
    let sending = Sending { log, scope, sent: 0, last, beginning, end, is_done: false };
    Ok(unfold(sending, |sending| async { next(sending).await }))
}

/// The document without its entries.
fn head(scope: AuditScope, state: &ChainState, purges: Vec<SealedPurge>, clock: &dyn Clock) -> AuditFile {
    AuditFile {
        format: AUDIT_FORMAT.to_owned(),
        chain: scope.chain(),
        exported_at: clock.now().trunc_subsecs(0),
        waiting: state.waiting,
        head: state.head.as_ref().map(|(number, hash)| AuditHead { number: *number, hash: hexadecimal(hash) }),
        purges,
        entries: Vec::new(),
        signature: None,
    }
}

fn beginning(file: &AuditFile) -> String {
    let purges = match &file.purges[..] {
        [] => String::new(),
        purges => format!("\"purges\":{},", serde_json::to_string(purges).unwrap_or_default()),
    };
    format!(
        "{{\"format\":\"{}\",\"chain\":\"{}\",\"exportedAt\":\"{}\",\"waiting\":{},\"head\":{},{purges}\"entries\":[",
        file.format,
        file.chain,
        file.exported_at.to_rfc3339_opts(SecondsFormat::Secs, true),
        file.waiting,
        serde_json::to_string(&file.head).unwrap_or_default(),
    )
}

fn end(file: &AuditFile, keys: &dyn EvidenceKeys) -> String {
    let signature = serde_json::to_string(&sign_audit(file, keys)).unwrap_or_default();
    format!("\n],\"signature\":{signature}}}\n")
}

async fn next(mut sending: Sending) -> Option<(io::Result<Bytes>, Sending)> {
    if let Some(beginning) = sending.beginning.take() {
        return Some((Ok(beginning.into()), sending));
    }
    if sending.is_done {
        return None;
    }
    let part = part(&mut sending).await.inspect_err(|failure| {
        tracing::error!(error = failure as &dyn Error, "an export of the audit log was truncated");
    });
    sending.is_done |= part.is_err();
    Some((part.map(Bytes::from).map_err(io::Error::other), sending))
}

async fn part(sending: &mut Sending) -> Result<String, PortFailure> {
    let left = u32::try_from(sending.last - sending.sent).unwrap_or(u32::MAX).min(PAGE);
    let entries = match left {
        0 => Vec::new(),
        left => sending.log.chain_after(sending.scope, sending.sent, left).await?,
    };
    let mut text = String::new();
    for entry in entries.into_iter().filter_map(file_entry).take_while(|entry| entry.number <= sending.last) {
        text.push_str(if sending.sent == 0 { "\n" } else { ",\n" });
        sending.sent = entry.number;
        let written = serde_json::to_string(&entry).map_err(|error| PortFailure::new("the audit log", error))?;
        text.push_str(&written);
    }
    if text.is_empty() || sending.sent >= sending.last {
        text.push_str(&sending.end);
        sending.is_done = true;
    }
    Ok(text)
}

fn file_entry(entry: AuditEntry) -> Option<AuditFileEntry> {
    let link = entry.link?;
    Some(AuditFileEntry {
        number: link.number,
        at: entry.place.at,
        kind: entry.kind,
        by_role: entry.by_role,
        by_id: entry.by_id,
        by_name: entry.by_name,
        from_address: entry.from_address,
        subject_kind: entry.subject_kind,
        subject_id: entry.subject_id,
        subject_name: entry.subject_name,
        meeting_title: entry.meeting_title,
        changes: entry.changes.into_iter().map(change).collect(),
        previous_hash: hexadecimal(&link.previous_hash),
        hash: hexadecimal(&link.hash),
    })
}
