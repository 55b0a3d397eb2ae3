plenum_kernel::text_value!(
    /// Why something was done that stands in the log of a round.
    Reason, check_line, 500
);
