//! The fake keeps the contract that PostgreSQL keeps.

use plenum_meetings::testkit::InMemoryMeetings;

plenum_meetings::meetings_contract!(InMemoryMeetings::new());
