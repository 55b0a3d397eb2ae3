use plenum_kernel::{Minimum, Quorum};
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
            needed: needed_for(quorum, register),
            is_met: match quorum.minimum {
                Minimum::Share(threshold) => is_met(threshold, attending, register),
                // Nobody decides for an empty register.
                Minimum::Amount(amount) => !register.is_zero() && attending >= amount.as_decimal(),
            },
        }
    }
}

/// The needed amount. `None` for an empty register.
fn needed_for(quorum: Quorum, register: Decimal) -> Option<Needed> {
    match quorum.minimum {
        Minimum::Share(threshold) => needed(threshold, register, quorum.unit.into()),
        Minimum::Amount(amount) => {
            let needed = Needed { amount: amount.as_decimal(), is_enough: true, is_rounded_up: false };
            (!register.is_zero()).then_some(needed)
        }
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::{Attendance, MinimumAmount, Threshold, Unit};

    use super::*;

    fn count(heads: u64, weight: &str) -> Count {
        Count { heads, weight: weight.parse().unwrap() }
    }

    #[test]
    fn a_quorum_is_measured_in_its_unit() {
        let half =
            |unit| Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit, attendance: Attendance::Present };
        let (attending, register) = (count(5, "2.4999"), count(10, "5"));
        assert!(MeasuredQuorum::measure(half(Unit::Heads), attending, register).is_met);
        let measured = MeasuredQuorum::measure(half(Unit::Weight), attending, register);
        assert!(!measured.is_met);
        assert_eq!(measured.needed.unwrap().amount, "2.5".parse().unwrap());
        assert_eq!(measured.percent.unwrap().to_string(), "50.00");
    }

    #[test]
    fn an_empty_register_has_no_quorum() {
        let quorum = Quorum {
            minimum: Minimum::Share(Threshold::AT_LEAST_HALF),
            unit: Unit::Heads,
            attendance: Attendance::Voted,
        };
        let measured = MeasuredQuorum::measure(quorum, Count::default(), Count::default());
        assert_eq!((measured.is_met, measured.percent, measured.needed), (false, None, None));
    }

    #[test]
    fn a_number_is_needed_whatever_the_register_is() {
        let minimum = Minimum::Amount(MinimumAmount::new("15".parse().unwrap(), Unit::Heads).unwrap());
        let quorum = Quorum { minimum, unit: Unit::Heads, attendance: Attendance::Present };
        let measured =
            |attending, register| MeasuredQuorum::measure(quorum, count(attending, "0"), count(register, "0"));
        assert!(measured(15, 4_000).is_met);
        assert!(!measured(14, 14).is_met);
        assert_eq!(measured(14, 14).needed.unwrap().amount.to_string(), "15");
        assert_eq!((measured(0, 0).is_met, measured(0, 0).needed), (false, None));
    }
}
