use plenum_kernel::Quorum;
use rust_decimal::Decimal;

use crate::decision::threshold::{is_met, needed, percent};
use crate::{Count, Needed};

/// A quorum with its numbers and outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredQuorum {
    /// The requirement.
    pub quorum: Quorum,
    /// The part of the register that took part.
    pub attending: Decimal,
    /// The register.
    pub register: Decimal,
    /// The share, in percent to 2 decimals. `None` for an empty register.
    pub percent: Option<Decimal>,
    /// The needed amount. `None` for an empty register, which never meets a quorum.
    pub needed: Option<Needed>,
    /// Whether it was met.
    pub is_met: bool,
}

impl MeasuredQuorum {
    /// Compares the participating voters with the register.
    pub fn measure(quorum: Quorum, attending: Count, register: Count) -> Self {
        let (attending, register) = (attending.in_unit(quorum.unit), register.in_unit(quorum.unit));
        Self {
            quorum,
            attending,
            register,
            percent: percent(attending, register),
            needed: needed(quorum.threshold, register, quorum.unit),
            is_met: is_met(quorum.threshold, attending, register),
        }
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::{Attendance, Threshold, Unit};

    use super::*;

    fn count(heads: u64, weight: &str) -> Count {
        Count { heads, weight: weight.parse().unwrap() }
    }

    #[test]
    fn a_quorum_is_measured_in_its_unit() {
        let half = |unit| Quorum { threshold: Threshold::AT_LEAST_HALF, unit, attendance: Attendance::Present };
        let (attending, register) = (count(5, "2.4999"), count(10, "5"));
        assert!(MeasuredQuorum::measure(half(Unit::Heads), attending, register).is_met);
        let measured = MeasuredQuorum::measure(half(Unit::Weight), attending, register);
        assert!(!measured.is_met);
        assert_eq!(measured.needed.unwrap().amount, "2.5".parse().unwrap());
        assert_eq!(measured.percent.unwrap().to_string(), "50.00");
    }

    #[test]
    fn an_empty_register_has_no_quorum() {
        let quorum = Quorum { threshold: Threshold::AT_LEAST_HALF, unit: Unit::Heads, attendance: Attendance::Voted };
        let measured = MeasuredQuorum::measure(quorum, Count::default(), Count::default());
        assert_eq!((measured.is_met, measured.percent, measured.needed), (false, None, None));
    }
}
