//! The binary `plenum-load`: simulated voters, watchers and organizers over real HTTP and event streams, against a
//! running Plenum.
//!
//! **The journal.** The journal has every ballot of a simulated voter with its response: acknowledged, refused, or
//! none, also after the repeats that the front end would make. When the rounds have ended, the run compares the journal
//! with the exported results, which list the ballots of named votes by voter. A ballot that was acknowledged and is
//! missing is *lost*. One that appears or counts more than once is *doubled*. One with other answers, or a result that
//! contradicts its ballots, is *changed*. One that was refused or never sent, and appears, is *smuggled*. Each of these
//! leads to exit code 1. So does a timely ballot that was refused or got no response, a failed sign-in, and a run
//! without acknowledged votes. Slowness does not.
//!
//! **Secret votes.** Their record has no ballot beside a voter. So the journal has the receipt of each envelope, which
//! must be in the urn exactly once if the ballot was acknowledged, and its voter must be marked as having voted. The
//! sums of answers must be those of the envelopes in the urn. The tool seals ballots with the product's own crate.
//!
//! **The clock.** Closed loops (`ballots --connections 64`) show the throughput of a server. Open loops (`--within`,
//! `--rate`, `sign-in-burst`, `assembly`) show its latency for people: each voter has an intended time from a stated
//! distribution and the seed, and latencies count from this time. So a slow server does not reduce its own load (no
//! coordinated omission).
//!
//! **The people.** The run creates everything through the API: an organization `Load <seed>`, voters by the import
//! (with random passwords and quick hashes, decision 16), a running meeting, and questions with named or secret votes. A
//! sign-in still costs the server a slow hash (decision 16), so 10,000 of them take minutes. `sign-in-burst` and `assembly`
//! measure that. For the other scenarios, `--open-sessions COMMAND` opens the sessions in the database
//! (`tools/loadtest/bench/open-sessions.sql`) with known refresh tokens, and each voter fetches an access token by
//! `POST /auth/refresh`. So a benchmark needs no weaker product and no signing key, and its tokens and sessions are
//! real.
//!
//! **The sockets.** The tool writes requests to sockets and reads responses with `httparse`, without a client library
//! that could distort the times. An idle event stream holds no buffer. The tool raises the limit of open files to the
//! hard limit. When an address of this machine has no port left, connections use the next loopback address.

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
