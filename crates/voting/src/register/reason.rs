plenum_kernel::text_value!(
    /// A reason in the log of a round.
    Reason, check_line, 500
);
