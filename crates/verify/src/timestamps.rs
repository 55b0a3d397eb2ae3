//! Timestamps of records: each token is about the hash of its record, and signed as an authority signs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use plenum_result_format::{ResultsFile, TimestampMark, from_hexadecimal};
use plenum_timestamp_format::{Authorities, TimestampToken};

use crate::report::Differences;

/// The certificates that vouch for timestamp authorities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownAuthorities {
    /// None are known. A token proves a time only to those who know its authority.
    None,
    /// Those of this installation. A file of another one may have timestamps of another authority.
    Own(Authorities),
    /// Those that must vouch for each timestamp.
    Pinned(Authorities),
}

/// A valid timestamp in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedTimestamp {
    /// The hash of the record.
    pub hash: String,
    /// The name of the authority, by the certificate in the token.
    pub authority: String,
    /// The time at which the authority saw the hash.
    pub at: DateTime<Utc>,
    /// Whether a known certificate vouches for the authority. `None` if no certificates are known.
    pub is_authority_known: Option<bool>,
}

/// A timestamp in a file, with what it must be about.
struct Claim<'a> {
    /// The paths of what the file says about it, and of the token.
    at: (String, String),
    hash: &'a str,
    mark: Option<&'a TimestampMark>,
    token: Option<&'a String>,
}

/// Checks the timestamps of all records. Returns the valid ones, in the order of the file.
pub(crate) fn check_timestamps(
    found: &mut Differences,
    file: &ResultsFile,
    known: &KnownAuthorities,
) -> Vec<CheckedTimestamp> {
    let rounds = file.rounds.iter().enumerate().map(|(index, round)| {
        let mark = round.result.record.as_ref();
        Claim {
            at: (format!("rounds.{index}.result.record.timestamp"), format!("rounds.{index}.seal.timestampToken")),
            hash: mark.map_or("", |mark| &mark.hash),
            mark: mark.and_then(|mark| mark.timestamp.as_ref()),
            token: round.seal.as_ref().and_then(|seal| seal.timestamp_token.as_ref()),
        }
    });
    let closings = file.closings.iter().flatten().enumerate().map(|(index, closing)| Claim {
        at: (format!("closings.{index}.timestamp"), format!("closings.{index}.timestampToken")),
        hash: &closing.hash,
        mark: closing.timestamp.as_ref(),
        token: closing.timestamp_token.as_ref(),
    });
    rounds.chain(closings).filter_map(|claim| check(found, &claim, known)).collect()
}

fn check(found: &mut Differences, claim: &Claim<'_>, known: &KnownAuthorities) -> Option<CheckedTimestamp> {
    let (mark_at, token_at) = &claim.at;
    let (mark, token) = match (claim.mark, claim.token) {
        (None, None) => return None,
        (Some(mark), Some(token)) => (mark, token),
        (Some(_), None) => {
            found.wants(token_at, "nothing", "the token of the timestamp");
            return None;
        }
        (None, Some(_)) => {
            found.wants(mark_at, "nothing", "the authority and the time of the token");
            return None;
        }
    };
    let hash = from_hexadecimal(claim.hash).and_then(|hash| <[u8; 32]>::try_from(hash).ok());
    let (Ok(content), Some(hash)) = (STANDARD.decode(token), hash) else {
        found.wants(token_at, token, "a token in base64, about the hash of its record");
        return None;
    };
    let read = match TimestampToken::read(&content, &hash) {
        Ok(read) => read,
        Err(reason) => {
            found.wants(token_at, token, format!("a valid timestamp of the record, and {reason}"));
            return None;
        }
    };
    if mark.authority != read.authority {
        found.differs(format!("{mark_at}.authority"), &mark.authority, &read.authority);
    }
    if mark.at != read.at {
        found.differs(format!("{mark_at}.at"), mark.at, read.at);
    }
    let is_authority_known = match known {
        KnownAuthorities::None => None,
        KnownAuthorities::Own(authorities) => Some(authorities.vouch_for(&read)),
        KnownAuthorities::Pinned(authorities) => {
            let is_known = authorities.vouch_for(&read);
            if !is_known {
                found.wants(token_at, &read.authority, "of an authority for which the certificates vouch");
            }
            Some(is_known)
        }
    };
    Some(CheckedTimestamp { hash: claim.hash.to_owned(), authority: read.authority, at: read.at, is_authority_known })
}
