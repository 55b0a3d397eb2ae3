/// How many steps have been made in a meeting. A step is what changes the state that the hall is in: the meeting is
/// started or ended, a question is opened, shown or cleared, a countdown is set or taken off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(pub u64);

impl Step {
    /// The number after one more step.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Whether another step was made since the state `seen`. Never if the caller does not say what it saw.
    pub fn has_passed(self, seen: Option<Self>) -> bool {
        seen.is_some_and(|seen| seen != self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_state_than_the_one_seen_has_passed() {
        let now = Step(3);
        assert!(!now.has_passed(Some(Step(3))));
        assert!(!now.has_passed(None));
        assert!(now.has_passed(Some(Step(2))));
        // A database that was restored from a backup has gone back.
        assert!(now.has_passed(Some(Step(4))));
        assert_eq!(now.next(), Step(4));
    }
}
