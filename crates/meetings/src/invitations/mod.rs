//! Invitations by mail: their text, their queue, and sending.

pub(crate) mod invitation;
pub(crate) mod invitation_text;
pub(crate) mod invite_and_queue;
pub(crate) mod ports;
pub(crate) mod send_invitations;
