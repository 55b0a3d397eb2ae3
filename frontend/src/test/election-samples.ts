import type { Result } from '../api/types';
import type { BallotQuestion } from '../shared/ballot/ballot';
import type {
  BallotCandidate,
  ElectionOutcome,
  ElectionPaper,
  ElectionResult,
  ElectionStage,
  ElectionTie,
  SeatHolder,
} from '../shared/elections/election-types';
import { liveQuestion } from './live-samples';
import { sampleResult } from './result-samples';

const NAMES = ['Nadia Brandt', 'Tomas Weller', 'Imani Okoye', 'Lea Fontaine'];

export function ballotCandidate(number: number, change: Partial<BallotCandidate> = {}): BallotCandidate {
  const name = NAMES[number - 1] ?? `Candidate No. ${number}`;
  return { number, name, line: null, about: null, isWithdrawn: false, ...change };
}

/** A plurality election of two of four candidates. Tests change the fields that they need. */
export function electionPaper(change: Partial<ElectionPaper> = {}): ElectionPaper {
  const candidates = change.candidates ?? [1, 2, 3, 4].map((number) => ballotCandidate(number));
  return {
    method: 'plurality',
    marks: 'choices',
    seats: 2,
    least: 1,
    most: 2,
    votes: null,
    mostForOne: null,
    allowsEqual: false,
    canLeaveBlank: false,
    noneOfTheAbove: null,
    order: 'fixed',
    ballotOrder: candidates.map(({ number }) => number),
    candidates,
    lists: [],
    ...change,
  };
}

export function rankingPaper(count: number, change: Partial<ElectionPaper> = {}): ElectionPaper {
  const candidates = Array.from({ length: count }, (_, index) => ballotCandidate(index + 1));
  return electionPaper({ method: 'irv', marks: 'ranking', most: null, seats: 1, candidates, ...change });
}

export function electionQuestion(election: ElectionPaper): BallotQuestion {
  return liveQuestion({
    text: 'Who joins the board?',
    type: 'ELECTION',
    questionType: 'ELECTION',
    options: election.candidates.map(({ name }) => name),
    election,
  });
}

/** Two of three candidates, elected at the first and the third stage of a Scottish count. */
export function electionResult(change: Partial<ElectionResult> = {}): ElectionResult {
  return {
    method: 'stv_scottish',
    seats: 2,
    unit: 'heads',
    ballots: {
      cast: { heads: 60, votes: '60' },
      valid: { heads: 57, votes: '57' },
      abstentions: { heads: 2, votes: '2' },
      invalid: { heads: 1, votes: '1' },
      faults: [
        {
          fault: 'repeated',
          effect: 'invalid',
          heads: 1,
          words: '1 ballot ranked a candidate twice and is invalid.',
        },
      ],
    },
    stages: [
      electionStage({
        words: ['Nadia Brandt reaches the quota of 20.'],
        votes: votesOf('28.00000', '15.00000', '14.00000'),
      }),
      electionStage({
        number: 2,
        kind: 'surplus',
        of: [1],
        surplus: '8.00000',
        words: ['The surplus of 8 votes of Nadia Brandt is transferred.'],
        votes: votesOf('20.00000', '18.71424', '17.71424'),
        nonTransferable: '0.57144',
      }),
      electionStage({
        number: 3,
        kind: 'exclusion',
        of: [3],
        words: ['Imani Okoye is excluded.', 'Tomas Weller takes the last place.'],
        votes: [
          { candidate: 1, votes: '20.00000' },
          { candidate: 2, votes: '36.42848' },
        ],
        nonTransferable: '0.57144',
      }),
    ],
    elected: [
      { candidate: 1, stage: 1, by: 'reached the quota', list: null },
      { candidate: 2, stage: 3, by: 'last place', list: null },
    ],
    candidates: [1, 2, 3].map((number) => ({
      number,
      name: NAMES[number - 1] ?? '',
      line: number === 1 ? 'Flat 12' : null,
      isWithdrawn: false,
      support: '15',
    })),
    answers: null,
    pairs: null,
    lists: null,
    order: [],
    tie: null,
    decisions: [],
    vacancies: null,
    ...change,
  };
}

/** The seats of an election of two: both elected, no answer yet. */
export function electionOutcome(change: Partial<ElectionOutcome> = {}): ElectionOutcome {
  return {
    questionText: 'Who joins the board?',
    rounds: ['r1'],
    seats: 2,
    holders: [seatHolder({ candidate: 1, line: 'Flat 12' }), seatHolder({ candidate: 2 })],
    declined: [],
    vacant: 0,
    answers: [],
    next: null,
    ...change,
  };
}

export function seatHolder(change: Partial<SeatHolder> = {}): SeatHolder {
  const candidate = change.candidate ?? 1;
  return {
    roundId: 'r1',
    candidate,
    name: NAMES[candidate - 1] ?? '',
    line: null,
    hasMovedUp: false,
    answer: null,
    ...change,
  };
}

function electionStage(change: Partial<ElectionStage>): ElectionStage {
  return {
    number: 1,
    kind: 'count',
    of: [],
    surplus: null,
    quota: '20',
    isQuotaEnough: true,
    votes: [],
    transfers: [],
    nonTransferable: '0.00000',
    remainder: '0.00000',
    words: [],
    ...change,
  };
}

function votesOf(...votes: string[]): ElectionStage['votes'] {
  return votes.map((amount, index) => ({ candidate: index + 1, votes: amount }));
}

export function electionTie(change: Partial<ElectionTie> = {}): ElectionTie {
  return {
    stage: 2,
    matter: 'exclusion',
    numbers: [2, 3],
    wanted: 1,
    words: 'Tomas Weller and Imani Okoye have the fewest votes, 14 each.',
    ...change,
  };
}

/** A counted round of an election that is not declared. */
export function resultOfElection(election: ElectionResult, change: Partial<Result> = {}): Result {
  return sampleResult({
    questionType: 'ELECTION',
    questionText: 'Who joins the board?',
    decisionRule: { kind: 'election', election: { method: election.method, seats: election.seats } },
    options: election.candidates.map(({ name, number }) => ({
      id: `c${number}`,
      text: name,
      role: 'choice',
      heads: 10,
      headsPercent: null,
      weight: 10,
      weightPercent: null,
    })),
    decision: {
      outcome: 'elected',
      elected: election.elected.map(({ candidate }) => `c${candidate}`),
      tie: null,
    },
    arithmetic: { checks: [], quorum: null, sentence: 'Elected: Nadia Brandt, Tomas Weller' },
    election,
    ...change,
  });
}
