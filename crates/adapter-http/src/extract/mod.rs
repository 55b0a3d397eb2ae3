//! Extractors: the caller's role and address, ids in paths, bodies and queries of lists.

mod body;
mod caller_address;
mod caller_device;
mod desks;
mod listing;
mod numbers;
mod path_id;
mod query;
mod read_body;
mod roles;
mod shape;
mod sheet_file;
mod site_address;
mod unknown_fields;

pub(crate) use body::{Body, MAX_BODY, OptionalBody, body_compressed, body_too_large, body_too_slow, read_file};
pub(crate) use caller_address::{CallerAddress, network_of};
pub(crate) use caller_device::CallerDevice;
pub(crate) use desks::{AnyDesk, Desk, RegisterReader, TellerCaller, VoteDesk, VotingPlace};
pub(crate) use listing::{
    ListQuery, Listing, NumberParameter, PageMeta, meta_of, read_choice, read_flag, read_number, read_page,
    read_sheet_format, status_parameter,
};
pub(crate) use numbers::{cleared, exact, exact_option, read_exact};
pub(crate) use path_id::{ApiId, PathId};
pub(crate) use query::Query;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use read_body::read;
pub(crate) use roles::{AccountHolder, Caller, ClientAdmin, MeetingViewer, SignedIn, SuperAdmin, Voter};
pub(crate) use sheet_file::{MAX_SHEET_BODY, SheetFileBody};
pub(crate) use site_address::{called_origin, read_site, verify_address};
pub(crate) use unknown_fields::{UNKNOWN_FIELDS, UnknownFields};
