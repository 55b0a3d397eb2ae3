use num_rational::BigRational;
use rust_decimal::Decimal;

/// A number without any rounding.
pub(crate) type Exact = BigRational;

pub(crate) fn whole(number: impl Into<u128>) -> Exact {
    Exact::from_integer(number.into().into())
}

pub(crate) fn fraction(numerator: u32, denominator: u32) -> Exact {
    whole(numerator) / whole(denominator.max(1))
}

pub(crate) fn of(decimal: Decimal) -> Exact {
    Exact::new(decimal.mantissa().into(), 10_u128.pow(decimal.scale()).into())
}

/// The number of a decimal text. Zero for another text, which no recount writes.
pub(crate) fn of_text(text: &str) -> Exact {
    of(text.parse().unwrap_or_default())
}

pub(crate) fn zero() -> Exact {
    whole(0_u32)
}

/// The number with this many decimals, rounded half away from zero. It must not be negative.
pub(crate) fn rounded(number: &Exact, decimals: u32) -> Decimal {
    let steps = number * whole(10_u128.pow(decimals)) + fraction(1, 2);
    decimal(&(steps.floor() / whole(10_u128.pow(decimals))), decimals)
}

/// The number as a decimal, which is known to have at most this many decimals. A number that is too large becomes the
/// largest decimal. This only occurs for amounts that are refused anyway.
pub(crate) fn decimal(number: &Exact, decimals: u32) -> Decimal {
    let steps = (number * whole(10_u128.pow(decimals))).floor().to_integer();
    let steps = i128::try_from(steps).ok();
    steps.and_then(|steps| Decimal::try_from_i128_with_scale(steps, decimals).ok()).unwrap_or(Decimal::MAX)
}

/// An amount of heads or weight, which has at most 6 decimals.
pub(crate) fn amount(number: &Exact) -> Decimal {
    decimal(number, 6).normalize()
}

/// The share of one number in another, in percent to 2 decimals. `None` if the other is zero.
pub(crate) fn percent(part: &Exact, of: &Exact) -> Option<Decimal> {
    (*of != zero()).then(|| rounded(&(part * whole(100_u32) / of), 2))
}
