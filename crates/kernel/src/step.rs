/// The number of steps of a meeting so far. A step is a change that all people in the meeting see: the meeting starts or
/// ends, a question is opened, shown or cleared, a countdown is set or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(pub u64);

impl Step {
    /// The number after one more step.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Whether the meeting has made a step since `seen`. False if the caller does not state `seen`.
    pub fn has_passed(self, seen: Option<Self>) -> bool {
        seen.is_some_and(|seen| seen != self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_state_other_than_the_seen_one_has_passed() {
        let now = Step(3);
        assert!(!now.has_passed(Some(Step(3))));
        assert!(!now.has_passed(None));
        assert!(now.has_passed(Some(Step(2))));
        // A database that was restored from a backup may have a lower number.
        assert!(now.has_passed(Some(Step(4))));
        assert_eq!(now.next(), Step(4));
    }
}
