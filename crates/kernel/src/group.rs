use crate::{GroupId, Invalid};

/// A group of end users, by its id and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedGroup {
    /// The id.
    pub id: GroupId,
    /// The name.
    pub name: String,
}

/// The highest number of groups that a meeting or a question is for.
pub const MAX_AUDIENCE: usize = 50;

/// The groups that a meeting or a question is for, each once, in the order of ids. None of them means everybody.
///
/// # Errors
/// States the highest number.
pub fn audience(mut groups: Vec<GroupId>) -> Result<Vec<GroupId>, Invalid> {
    if groups.len() > MAX_AUDIENCE {
        return Err(Invalid::new(format!("Must be at most {MAX_AUDIENCE} groups.")));
    }
    groups.sort_unstable();
    groups.dedup();
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::CountingIds;

    #[test]
    fn each_group_counts_once() {
        let ids = CountingIds::new();
        let groups: Vec<GroupId> = (0..=MAX_AUDIENCE).map(|_| GroupId::new(&ids)).collect();
        assert_eq!(audience(vec![groups[1], groups[0], groups[1]]), Ok(vec![groups[0], groups[1]]));
        assert!(audience(groups[1..].to_vec()).is_ok());
        assert!(audience(groups.clone()).is_err());
        assert!(audience(vec![groups[0]; MAX_AUDIENCE + 1]).is_err(), "a list that is too long, whatever it names");
    }
}
