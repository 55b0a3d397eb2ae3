/// Where a vote was cast, if not on a device of the voter or of the holder of their proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastOn {
    /// On paper, entered by one teller and confirmed by another.
    Paper,
    /// On the device of a voting place, after a helper identified the voter.
    VotingPlace,
}
