use std::sync::Arc;

use plenum_kernel::EvidenceKeys;
use plenum_records::{AnswerWalls, KnownRecords, RecordedResultPorts, RecordedResults};
use plenum_voting::{
    BallotPorts, BallotService, PaperVotePorts, PaperVoteService, PreparationService, Presence, ProxyService,
    RegisterService, ResultPorts, ResultService, RoundPorts, RoundService, UrnKeyService,
};

use super::live::Live;
use super::security::SecurityPorts;
use super::stores::Stores;

/// Rounds, registers, ballots and results.
pub(super) struct Voting {
    pub(super) rounds: Arc<RoundService>,
    pub(super) registers: Arc<RegisterService>,
    pub(super) preparations: Arc<PreparationService>,
    pub(super) ballots: Arc<BallotService>,
    pub(super) proxies: Arc<ProxyService>,
    pub(super) paper_votes: Arc<PaperVoteService>,
    pub(super) results: Arc<ResultService>,
    pub(super) urns: Arc<UrnKeyService>,
    pub(super) recorded_results: Arc<RecordedResults>,
    pub(super) answer_walls: Arc<AnswerWalls>,
    pub(super) known_records: Arc<KnownRecords>,
}

impl Voting {
    pub(super) fn new(stores: &Stores, ports: &SecurityPorts, live: &Live, keys: &Arc<dyn EvidenceKeys>) -> Self {
        let urns = UrnKeyService::new(Arc::clone(&stores.urn_keys), Arc::clone(&stores.urns), Arc::clone(&ports.clock));
        let urns = Arc::new(urns.with_patience(ports.vote_key_patience));
        let results = Arc::new(ResultService::new(ResultPorts {
            results: Arc::clone(&stores.results),
            declarations: Arc::clone(&stores.declared_results),
            urns: Arc::clone(&urns),
            signals: Arc::clone(&live.voting_signals),
            clock: Arc::clone(&ports.clock),
        }));
        let recorded_results = Arc::new(RecordedResults::new(RecordedResultPorts {
            results: Arc::clone(&results),
            records: Arc::clone(&stores.records),
            live_records: Arc::clone(&stores.live_records),
            declared: Arc::clone(&stores.declared_results),
            timestamps: Arc::clone(&stores.timestamps),
            keys: Arc::clone(keys),
        }));
        Self {
            answer_walls: Arc::new(AnswerWalls::new(
                Arc::clone(&recorded_results),
                Arc::clone(&stores.curations),
                Arc::clone(&live.voting_signals),
            )),
            known_records: Arc::new(KnownRecords::new(Arc::clone(&stores.records), Arc::clone(keys))),
            recorded_results,
            results,
            urns,
            rounds: Arc::new(RoundService::new(RoundPorts {
                rounds: Arc::clone(&stores.rounds),
                urn_keys: Arc::clone(&stores.urn_keys),
                signals: Arc::clone(&live.voting_signals),
                presence: Arc::clone(&live.hub) as Arc<dyn Presence>,
                clock: Arc::clone(&ports.clock),
                ids: Arc::clone(&ports.ids),
            })),
            registers: Arc::new(RegisterService::new(
                Arc::clone(&stores.register_changes),
                Arc::clone(&live.voting_signals),
                Arc::clone(&ports.clock),
                Arc::clone(&ports.ids),
            )),
            preparations: Arc::new(PreparationService::new(
                Arc::clone(&stores.prepared_registers),
                Arc::clone(&live.hub) as Arc<dyn Presence>,
                Arc::clone(&ports.ids),
            )),
            proxies: Arc::new(ProxyService::new(
                Arc::clone(&stores.proxies),
                Arc::clone(&live.voting_signals),
                Arc::clone(&ports.clock),
                Arc::clone(&ports.ids),
            )),
            paper_votes: Arc::new(PaperVoteService::new(PaperVotePorts {
                store: Arc::clone(&stores.paper_votes),
                signals: Arc::clone(&live.voting_signals),
                clock: Arc::clone(&ports.clock),
                secrets: Arc::clone(&ports.secrets),
            })),
            ballots: Arc::new(BallotService::new(BallotPorts {
                rounds: Arc::clone(&stores.rounds),
                ballot_box: Arc::clone(&stores.ballot_box),
                sealing_keys: Arc::clone(&stores.sealing_keys),
                signals: Arc::clone(&live.voting_signals),
                clock: Arc::clone(&ports.clock),
                ids: Arc::clone(&ports.ids),
            })),
        }
    }
}
