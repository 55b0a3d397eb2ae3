/// The urn of a secret round, with the key of its envelopes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Urn {
    /// The public key for which voters seal their ballots: an uncompressed point of P-256, 65 bytes.
    pub public_key: Vec<u8>,
    /// The number of instances that stored the share outside of the database when the round was opened.
    pub holders: u32,
    /// Whether the round is void, because that share was lost before the count.
    pub is_void: bool,
}
