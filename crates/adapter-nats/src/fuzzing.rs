//! The invariants of messages and NATS addresses, for any input. The tests below check them with random bytes, and so do
//! the targets `messages` and `addresses` of `fuzz/`.

use crate::NatsAddress;
use crate::codec::Message;

/// A decoded message contains exactly the bytes that it was decoded from.
pub fn messages(data: &[u8]) {
    let Ok(message) = Message::decode(data) else { return };
    let written = message.encode();
    assert!(data.starts_with(&written), "{message:?} differs from its bytes: {data:?}");
    assert_eq!(Message::decode(&written), Ok(message));
}

/// A parsed address does not reveal its password.
pub fn addresses(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = NatsAddress::parse(&text);
    let secret = "u4Zq9secret";
    if let Some(address) = NatsAddress::parse(&format!("nats://somebody:{secret}@{text}")) {
        let shown = format!("{address:?}");
        assert!(text.contains(secret) || !shown.contains(secret), "{shown}");
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::fuzz_seeds;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_decoded_message_equals_its_bytes(
            kind in select(vec![0_u8, 1, 2, 3, 10, 11, 12, 13, 14, 20, 21, 22, 30, 31]),
            rest in vec(any::<u8>(), 0..200),
            length in any::<Index>(),
            count in 0_u8..6,
        ) {
            let mut data = [&[1, kind][..], &rest].concat();
            messages(&data);
            // A count of voters that is probably almost right.
            let place = length.index(data.len());
            data.splice(place..place, [0, 0, 0, count]);
            messages(&data);
        }

        #[test]
        fn a_presence_report_is_decoded_to_its_end(
            ids in vec(any::<u8>(), 32), (number, part) in any::<(u64, u32)>(), (came, left) in (0_u8..4, 0_u8..4),
            voters in vec(any::<u8>(), 0..130),
        ) {
            let head = |kind: u8| [&[1, kind][..], &ids, &number.to_be_bytes()].concat();
            let counted = |count: u8| [0, 0, 0, count];
            messages(&[&head(20)[..], &part.to_be_bytes(), &counted(9), &counted(came), &voters].concat());
            let (first, others) = voters.split_at(voters.len().min(usize::from(came) * 16));
            let news = [&head(21)[..], &number.to_be_bytes(), &counted(came), first, &counted(left), others];
            messages(&news.concat());
        }

        #[test]
        fn an_address_does_not_reveal_its_password(text in "[a-z0-9:@/.%,\\[\\]?#-]{0,40}", letters in vec(any::<char>(), 0..30)) {
            addresses(text.as_bytes());
            addresses(String::from_iter(letters).as_bytes());
        }
    }

    #[test]
    fn the_invariants_hold_for_the_fuzzers_seeds() {
        fuzz_seeds("messages").iter().for_each(|seed| messages(seed));
        fuzz_seeds("addresses").iter().for_each(|seed| addresses(seed));
    }
}
