/// The prefix of the names of test data.
pub const TEST_PREFIX: &str = "TEST_";

/// Whether a client, end user or meeting of this name is test data. A rename can change that: for a client or a meeting only while
/// it has no round.
pub fn is_test_name(name: &str) -> bool {
    name.starts_with(TEST_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_name_starts_with_test_in_capitals() {
        for name in ["TEST_", "TEST_CLIENT_1", "TEST_Assembly"] {
            assert!(is_test_name(name), "{name}");
        }
        for name in ["", "TEST", "TEST Assembly", "test_anna", "Test_Anna", " TEST_Anna", "My TEST_Assembly"] {
            assert!(!is_test_name(name), "{name}");
        }
    }
}
