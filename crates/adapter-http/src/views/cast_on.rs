use plenum_result_format::CastOnName;
use plenum_voting::CastOn;

/// The name of a place at which a vote was cast.
pub(crate) fn cast_on_name(cast_on: CastOn) -> CastOnName {
    match cast_on {
        CastOn::Paper => CastOnName::Paper,
        CastOn::VotingPlace => CastOnName::VotingPlace,
    }
}
