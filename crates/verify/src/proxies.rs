//! Checks that votes were cast by those who hold a proxy in the file.

use std::collections::HashMap;

use plenum_result_format::{RegisteredVoter, RoundFile};

use crate::report::Differences;

/// Somebody else casts a vote only with a proxy in the register.
pub(crate) fn check_proxies(found: &mut Differences, round: &RoundFile) {
    for (index, voter) in round.register.iter().enumerate() {
        check_entry(found, index, voter);
    }
    if !round.result.is_named {
        return;
    }
    let register: HashMap<u32, &RegisteredVoter> = round.register.iter().map(|voter| (voter.place, voter)).collect();
    for (index, ballot) in round.ballots.iter().enumerate() {
        let Some(voter) = ballot.voter.and_then(|place| register.get(&place)) else { continue };
        let holder = voter.represented_by.as_ref().filter(|_| voter.voted_by_proxy).map(|holder| &holder.username);
        if ballot.cast_by.as_ref() != holder {
            let was = ballot.cast_by.as_deref().unwrap_or("the voter");
            let wanted = holder.map_or("the voter: the register has no used proxy", |username| username);
            found.wants(format!("ballots.{index}.castBy"), was, wanted);
        }
    }
}

fn check_entry(found: &mut Differences, index: usize, voter: &RegisteredVoter) {
    let at = format!("register.{index}");
    if voter.voted_by_proxy && !voter.has_voted {
        found.wants(format!("{at}.votedByProxy"), "true", "false: the person has not voted");
    }
    if voter.cast_on.is_some() && !voter.has_voted {
        found.wants(format!("{at}.castOn"), "set", "null: the person has not voted");
    }
    if voter.cast_on.is_some() && voter.voted_by_proxy {
        found.wants(format!("{at}.castOn"), "set", "null: the holder of the proxy has voted");
    }
    if voter.was_represented && voter.was_connected {
        found.wants(format!("{at}.wasRepresented"), "true", "false: the person was connected");
    }
    if (voter.voted_by_proxy || voter.was_represented) && voter.represented_by.is_none() {
        found.wants(format!("{at}.representedBy"), "null", "the holder of the proxy");
    }
    if voter.represented_by.as_ref().is_some_and(|holder| holder.username == voter.username) {
        found.wants(format!("{at}.representedBy"), &voter.username, "somebody else");
    }
}
