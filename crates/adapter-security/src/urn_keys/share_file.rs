//! A file with the share of a round: the version (1), the share (32 bytes), and a checksum over version, share and round, which
//! finds a damaged file and one under another name.

use plenum_kernel::RoundId;
use plenum_voting::KeyShare;
use sha2::{Digest as _, Sha256};

const VERSION: u8 = 1;

/// The length of a file in bytes.
pub(super) const LENGTH: usize = 1 + 32 + 32;

pub(super) fn encode(round: RoundId, share: &KeyShare) -> Vec<u8> {
    [&[VERSION], &share.0[..], &checksum(round, share)].concat()
}

/// `None` for a damaged file.
pub(super) fn decode(round: RoundId, content: &[u8]) -> Option<KeyShare> {
    let (version, rest) = content.split_first()?;
    let (share, found) = rest.split_first_chunk()?;
    let share = KeyShare(*share);
    (*version == VERSION && found == checksum(round, &share)).then_some(share)
}

fn checksum(round: RoundId, share: &KeyShare) -> [u8; 32] {
    Sha256::new()
        .chain_update(b"plenum key share\0")
        .chain_update([VERSION])
        .chain_update(share.0)
        .chain_update(round.as_uuid())
        .finalize()
        .into()
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[test]
    fn a_damaged_or_renamed_file_is_noticed() {
        let ids = CountingIds::new();
        let (round, share) = (RoundId::new(&ids), KeyShare([7; 32]));
        let content = encode(round, &share);
        assert_eq!(content.len(), LENGTH);
        assert_eq!(decode(round, &content), Some(share));
        assert_eq!(decode(RoundId::new(&ids), &content), None);
        for place in 0..content.len() {
            let mut changed = content.clone();
            changed[place] ^= 1;
            assert_eq!(decode(round, &changed), None, "{place}");
            assert_eq!(decode(round, &content[..place]), None, "{place}");
        }
        assert_eq!(decode(round, &[&content[..], &[0]].concat()), None);
    }
}
