/// The stable codes of errors that belong to no single endpoint. Codes of one endpoint stand beside it.
pub(crate) struct ErrorCode;

impl ErrorCode {
    /// No token.
    pub(crate) const AUTHENTICATION_REQUIRED: &'static str = "authentication_required";
    /// A body that is too large.
    pub(crate) const BODY_TOO_LARGE: &'static str = "body_too_large";
    /// A body that comes too slowly.
    pub(crate) const BODY_TOO_SLOW: &'static str = "body_too_slow";
    /// Files of the database are damaged: asking again is of no use.
    pub(crate) const DATABASE_DAMAGED: &'static str = "database_damaged";
    /// A field that is missing or wrong.
    pub(crate) const INVALID_INPUT: &'static str = "invalid_input";
    /// A token that is not ours.
    pub(crate) const INVALID_TOKEN: &'static str = "invalid_token";
    /// A method that an address does not take.
    pub(crate) const METHOD_NOT_ALLOWED: &'static str = "method_not_allowed";
    /// A path that leads nowhere.
    pub(crate) const NOT_FOUND: &'static str = "not_found";
    /// A body that is no JSON.
    pub(crate) const NOT_JSON: &'static str = "not_json";
    /// A call that a page of this origin may not make.
    pub(crate) const ORIGIN_NOT_ALLOWED: &'static str = "origin_not_allowed";
    /// Something that the call builds on was removed in the same moment.
    pub(crate) const REMOVED_MEANWHILE: &'static str = "removed_meanwhile";
    /// A session, person or client that is no longer active.
    pub(crate) const SESSION_ENDED: &'static str = "session_ended";
    /// A step that was decided on an older state.
    pub(crate) const STALE_STEP: &'static str = "stale_step";
    /// A dependency that is down or busy.
    pub(crate) const TEMPORARILY_UNAVAILABLE: &'static str = "temporarily_unavailable";
    /// A token that was good once.
    pub(crate) const TOKEN_EXPIRED: &'static str = "token_expired";
    /// A body in a form that is not read.
    pub(crate) const UNSUPPORTED_MEDIA_TYPE: &'static str = "unsupported_media_type";
    /// A role that may not do this.
    pub(crate) const WRONG_ROLE: &'static str = "wrong_role";
}
