use plenum_kernel::Quorum;
use rust_decimal::Decimal;

use crate::decision::threshold::{is_met, needed, percent};
use crate::{Count, Needed};

/// A quorum with the figures by which it was met or missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuorumFigures {
    /// The requirement.
    pub quorum: Quorum,
    /// How much of the register took part.
    pub attending: Decimal,
    /// The register.
    pub register: Decimal,
    /// The share, in percent to 2 decimals; none of an empty register.
    pub percent: Option<Decimal>,
    /// How much was needed; none of an empty register, which has no quorum ever.
    pub needed: Option<Needed>,
    /// Whether it was met.
    pub is_met: bool,
}

impl QuorumFigures {
    /// Measures those who take part against the register.
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
        assert!(QuorumFigures::measure(half(Unit::Heads), attending, register).is_met);
        let figures = QuorumFigures::measure(half(Unit::Weight), attending, register);
        assert!(!figures.is_met);
        assert_eq!(figures.needed.unwrap().amount, "2.5".parse().unwrap());
        assert_eq!(figures.percent.unwrap().to_string(), "50.00");
    }

    #[test]
    fn an_empty_register_has_no_quorum() {
        let quorum = Quorum { threshold: Threshold::AT_LEAST_HALF, unit: Unit::Heads, attendance: Attendance::Voted };
        let figures = QuorumFigures::measure(quorum, Count::default(), Count::default());
        assert_eq!((figures.is_met, figures.percent, figures.needed), (false, None, None));
    }
}
