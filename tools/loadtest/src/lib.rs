//! The binary `plenum-load`: simulated voters, watchers and organizers over real HTTP and event streams, against a
//! Plenum that is running.
//!
//! **The journal.** Every ballot that a simulated voter hands in is noted with what the server answered: acknowledged,
//! refused, or nothing at all, also after it was handed in again as our own screens do. When the rounds have ended, the
//! journal is held against the server's own record, the export of the results, in which ballots of named votes stand by
//! voter. What was acknowledged and is not there is *lost*; what is there more than once, or counted beyond that, is
//! *doubled*; another content, or a result that says otherwise than its ballots, is *changed*; and what was refused, or
//! handed in by nobody, and is there is *smuggled*. One of these is enough for exit code 1, and so is a ballot that was
//! refused though it came in time or never got an answer, somebody who was not let in, and a run in which nothing was
//! acknowledged. Nothing that takes long is.
//!
//! **The clock.** Closed loops (`ballots --connections 64`) say how much a server can take. Open loops (`--within`,
//! `--rate`, `sign_in_burst`, `assembly`) say how it feels: each voter has a time of their own, drawn from a stated distribution
//! and the seed, and latencies count from this time, so that a server that makes everybody wait does not make fewer
//! people come (no coordinated omission).
//!
//! **The people.** Everything is made through the API: an organization `Load <seed>`, voters by the import (which makes
//! random passwords and hashes them quickly, decision 16), a running meeting, questions with named votes. A sign-in costs
//! the server a slow hash all the same, because of decision 16, so 10,000 of them take minutes. That is what `sign_in_burst` and
//! `assembly` measure; for the other scenarios `--open-sessions COMMAND` opens the sessions in the database
//! (`tools/loadtest/bench/open-sessions.sql`) with refresh tokens that were agreed upon, and each voter fetches their access token
//! over HTTP by `POST /auth/refresh`. So nothing in the product is weakened for a benchmark, no signing key leaves the
//! server, and tokens and sessions are as real as any.
//!
//! **The sockets.** Requests are bytes on a socket and answers are read with `httparse`; no client library stands
//! between the socket and the clock. An event stream holds no buffer while it is idle. The limit of open files is raised
//! to what the system allows. When an address of this machine has no port left, connections come from the next loopback
//! address.

pub mod arguments;
pub mod bcrypt_baseline;
pub mod failure;
pub mod faults;
pub mod fixture;
pub mod http;
pub mod journal;
pub mod latencies;
pub mod machine;
pub mod options;
pub mod outcome;
pub mod output;
pub mod play;
pub mod report;
pub mod rng;
pub mod run;
pub mod scenarios;
