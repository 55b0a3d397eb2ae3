/// The stable codes of general errors. The code of a single endpoint is in the file of that endpoint.
pub(crate) struct ErrorCode;

impl ErrorCode {
    /// The request has no token.
    pub(crate) const AUTHENTICATION_REQUIRED: &'static str = "authentication_required";
    /// The body is too large.
    pub(crate) const BODY_TOO_LARGE: &'static str = "body_too_large";
    /// The body arrives too slowly.
    pub(crate) const BODY_TOO_SLOW: &'static str = "body_too_slow";
    /// Files of the database are damaged. A retry does not help.
    pub(crate) const DATABASE_DAMAGED: &'static str = "database_damaged";
    /// The link of a desk is revoked, or its meeting is over.
    pub(crate) const DESK_ENDED: &'static str = "desk_ended";
    /// A field is missing or invalid.
    pub(crate) const INVALID_INPUT: &'static str = "invalid_input";
    /// The token was not issued by this server.
    pub(crate) const INVALID_TOKEN: &'static str = "invalid_token";
    /// The address does not support the method.
    pub(crate) const METHOD_NOT_ALLOWED: &'static str = "method_not_allowed";
    /// The address does not exist.
    pub(crate) const NOT_FOUND: &'static str = "not_found";
    /// The body is not valid JSON.
    pub(crate) const NOT_JSON: &'static str = "not_json";
    /// The origin of the page may not call the API.
    pub(crate) const ORIGIN_NOT_ALLOWED: &'static str = "origin_not_allowed";
    /// A row that the request refers to was removed during the request.
    pub(crate) const REMOVED_MEANWHILE: &'static str = "removed_meanwhile";
    /// The session has ended, or its person or client is no longer active.
    pub(crate) const SESSION_ENDED: &'static str = "session_ended";
    /// The step was decided on an older state.
    pub(crate) const STALE_STEP: &'static str = "stale_step";
    /// A dependency is down or busy.
    pub(crate) const TEMPORARILY_UNAVAILABLE: &'static str = "temporarily_unavailable";
    /// The token has expired.
    pub(crate) const TOKEN_EXPIRED: &'static str = "token_expired";
    /// The media type or the encoding of the body is not supported.
    pub(crate) const UNSUPPORTED_MEDIA_TYPE: &'static str = "unsupported_media_type";
    /// The role may not do this.
    pub(crate) const WRONG_ROLE: &'static str = "wrong_role";
}
