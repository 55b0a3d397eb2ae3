//! Invitations by mail: their text, their queue, and sending.

pub(crate) mod invitation;
pub(crate) mod invitation_text;
pub(crate) mod ports;
pub(crate) mod send_invitations;
