use std::fmt;

/// How good or bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// As it should be.
    Well,
    /// Worth knowing, and fine as it is.
    Known,
    /// Plenum runs, with a disadvantage.
    Warning,
    /// Plenum does not run, or not reliably.
    Failure,
}

/// One thing that was checked: what was found, why it matters, and what to do.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    level: Level,
    /// A sentence.
    found: String,
    /// Why it matters, as a sentence.
    reason: Option<String>,
    /// What to do, as a sentence.
    advice: Option<String>,
}

impl Finding {
    pub(super) fn well(found: impl Into<String>) -> Self {
        Self::new(Level::Well, found)
    }

    pub(super) fn known(found: impl Into<String>) -> Self {
        Self::new(Level::Known, found)
    }

    pub(super) fn warning(found: impl Into<String>) -> Self {
        Self::new(Level::Warning, found)
    }

    pub(super) fn failure(found: impl Into<String>) -> Self {
        Self::new(Level::Failure, found)
    }

    fn new(level: Level, found: impl Into<String>) -> Self {
        Self { level, found: found.into(), reason: None, advice: None }
    }

    /// Adds why it matters.
    pub(super) fn because(self, reason: &str) -> Self {
        Self { reason: Some(reason.to_owned()), ..self }
    }

    /// Adds what to do.
    pub(super) fn so(self, advice: &str) -> Self {
        Self { advice: Some(advice.to_owned()), ..self }
    }

    pub(crate) fn is_failure(&self) -> bool {
        self.level == Level::Failure
    }

    pub(crate) fn is_warning(&self) -> bool {
        self.level == Level::Warning
    }

    /// What was found and what to do, in one line.
    pub(crate) fn in_one_line(&self) -> String {
        let found = self.found.trim_end_matches('.');
        self.advice.as_ref().map_or_else(|| format!("{found}."), |advice| format!("{found}. {advice}"))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.level {
            Level::Well => "ok   ",
            Level::Known => "info ",
            Level::Warning => "warn ",
            Level::Failure => "FAIL ",
        };
        write!(formatter, "{mark} {}", self.found)?;
        for (title, text) in [("Why:", &self.reason), ("Do: ", &self.advice)] {
            if let Some(text) = text {
                write!(formatter, "\n      {title} {text}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_says_why_it_matters_and_what_to_do() {
        let finding = Finding::warning("The limit of open files is 1024.")
            .because("About as many screens can connect.")
            .so("Raise it.");
        let expected = "warn  The limit of open files is 1024.\n      \
                        Why: About as many screens can connect.\n      Do:  Raise it.";
        assert_eq!(finding.to_string(), expected);
        assert_eq!(finding.in_one_line(), "The limit of open files is 1024. Raise it.");
    }

    #[test]
    fn a_good_finding_takes_one_line() {
        assert_eq!(Finding::well("DATABASE_URL responds.").to_string(), "ok    DATABASE_URL responds.");
        assert_eq!(Finding::failure("It is damaged").in_one_line(), "It is damaged.");
    }
}
