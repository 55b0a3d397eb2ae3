import type { Question, Result } from '../../../../api/types';
import {
  type AgendaItem,
  CHOICE,
  PERCENTAGE,
  RATING,
  TEXT,
  YES_OR_NO,
} from '../../../../shared/diagnostics/assembly/agenda';
import { type Ballot, castVote, handIn } from '../../../../shared/diagnostics/assembly/cast-vote';
import { clearQuestion, openQuestion } from '../../../../shared/diagnostics/assembly/organizing';
import { type SentVote, tallyDifferences } from '../../../../shared/diagnostics/assembly/tally';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { hold, refused, same } from '../../../../shared/diagnostics/run/expect';
import { success } from '../../../../shared/diagnostics/run/finding';
import { several } from '../../../../shared/diagnostics/run/several';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import type { TestMeeting, TestVoter } from '../../../../shared/diagnostics/run/test-world';
import { bodyOf } from '../../../../shared/diagnostics/run/unexpected';

/** The last voter never votes in time. */
const WEIGHTS = [1, 2.5, 0.25, 3, 1.75];
const AT_ONCE = 4;

/** A question of each type, with invalid ballots. */
const AGENDA: { item: AgendaItem; invalid: string[][] }[] = [
  { item: YES_OR_NO, invalid: [['Maybe'], [], ['Yes', 'No']] },
  { item: CHOICE, invalid: [['Nobody'], ['Ada', 'Ada'], ['Ada', 'Ben', 'Clara'], []] },
  { item: RATING, invalid: [['0'], ['6'], ['2.5'], ['many']] },
  { item: PERCENTAGE, invalid: [['-1'], ['100.5'], ['all']] },
  { item: TEXT, invalid: [[''], ['x'.repeat(2001)]] },
];
const STEPS_PER_QUESTION = 6;
const OTHER_STEPS = 7;

interface VotingSetup {
  run: Run;
  steps: Steps;
  organizer: Caller;
  meeting: TestMeeting;
  voters: TestVoter[];
  /** The voters who vote, in the order of the list. */
  callers: Caller[];
  /** In the register, but does not vote while a question is open. */
  late: Caller;
  outsider: Caller;
}

export const votingFlow: Diagnostic = {
  name: 'Voting Flow',
  about: 'Test voters vote on a question of each type, and the count is compared with the votes sent.',
  run: async (run) => {
    const steps = new Steps(run, OTHER_STEPS + AGENDA.length * STEPS_PER_QUESTION);
    const setup = await openMeeting(run, steps);
    await checkDeletion(setup);
    let votes = 0;
    for (const [index] of AGENDA.entries()) {
      votes += await voteOn(setup, index);
    }
    await endMeeting(setup);
    return success(
      `${votes} votes on a question of each of ${AGENDA.length} types were counted as they were sent, by heads and by weight, and the calls that must be refused were refused.`,
      { register: WEIGHTS.length, weights: WEIGHTS, votes, steps: steps.reports },
    );
  },
};

async function openMeeting(run: Run, steps: Steps): Promise<VotingSetup> {
  const { world } = run;
  const organizer = await steps.step('Find the organization', () => world.organizer());
  const people = await steps.step('Create the test voters', () =>
    world.addVoters(WEIGHTS.length + 1, (index) => WEIGHTS[index] ?? 1),
  );
  const voters = people.slice(0, WEIGHTS.length);
  const meeting = await steps.step('Create a meeting with a question of each type', () =>
    world.addMeeting(
      voters,
      AGENDA.map(({ item }) => item.question),
    ),
  );
  const signedIn = await steps.step('Sign the voters in', () =>
    several(people, AT_ONCE, (voter) => world.signInVoter(voter)),
  );
  await steps.step('Start the meeting', async () => {
    const answer = await organizer.post(`/client/meetings/${meeting.id}/start`);
    bodyOf(answer, 200);
    return answer;
  });
  const [late, outsider] = signedIn.slice(-2) as [Caller, Caller];
  const callers = signedIn.slice(0, WEIGHTS.length - 1);
  return { run, steps, organizer, meeting, voters, callers, late, outsider };
}

/** Returns the number of votes cast. */
async function voteOn(setup: VotingSetup, index: number): Promise<number> {
  const { run, steps, organizer, meeting, voters, callers, late } = setup;
  const { item, invalid } = AGENDA[index] as (typeof AGENDA)[number];
  const question = meeting.questions[index] as Question;
  const kind = question.questionType;
  const opened = await steps.step(`${kind}: open the question`, () =>
    openQuestion(organizer, meeting.id, question.id),
  );
  const ballot: Ballot = { meetingId: meeting.id, questionId: question.id, roundId: opened.roundId };
  const first = callers[0] as Caller;
  await steps.step(`${kind}: refuse ballots that do not fit (422)`, () =>
    several(invalid, 1, async (answers) => refused(await handIn(first, ballot, answers), 422)),
  );
  const sent: SentVote[] = callers.map((_, place) => ({
    answers: item.answersOf(place),
    weight: voters[place]?.weight ?? 0,
  }));
  await steps.step(`${kind}: vote`, () =>
    several(callers, AT_ONCE, (caller, place) =>
      castVote(run.world, caller, ballot, sent[place]?.answers ?? []),
    ),
  );
  await steps.step(`${kind}: accept a repeated vote once, and refuse a second vote`, () =>
    checkRepeats(setup, ballot, item),
  );
  await steps.step(`${kind}: end the question, and refuse votes after it (409)`, async () => {
    const { answer } = await clearQuestion(organizer, meeting.id);
    return [answer, refused(await handIn(late, ballot, item.answersOf(1)), 409, 'round_not_open')];
  });
  await steps.step(`${kind}: compare the count with the votes sent`, async () => {
    const answer = await organizer.post(`/client/meetings/${meeting.id}/rounds/${ballot.roundId}/count`);
    const differences = tallyDifferences(bodyOf<Result>(answer, 200), voters, sent);
    hold(differences.length === 0, differences.join(' '), answer);
    return answer;
  });
  return sent.length;
}

async function checkRepeats(
  { organizer, meeting, callers, outsider }: VotingSetup,
  ballot: Ballot,
  item: AgendaItem,
) {
  const first = callers[0] as Caller;
  const repeat = await handIn(first, ballot, item.answersOf(0));
  bodyOf(repeat, 201);
  const other = refused(await handIn(first, ballot, item.answersOf(1)), 409, 'already_voted');
  const strange = refused(await handIn(outsider, ballot, item.answersOf(0)), 403);
  const stats = await organizer.get(`/client/meetings/${meeting.id}/current-question/stats`);
  const { totalVotes, registerSize } = bodyOf<{ totalVotes: number; registerSize: number }>(stats, 200);
  same('The number of votes', totalVotes, callers.length);
  same('The size of the register', registerSize, WEIGHTS.length);
  return [repeat, other, strange, stats];
}

/** Votes of test data can be deleted until they are counted. The question stays open for the next step. */
async function checkDeletion({ run, steps, organizer, meeting, callers }: VotingSetup): Promise<void> {
  const question = meeting.questions[0] as Question;
  await steps.step('Open the first question, and delete the vote that is cast', async () => {
    const { roundId } = await openQuestion(organizer, meeting.id, question.id);
    const ballot = { meetingId: meeting.id, questionId: question.id, roundId };
    const again = await castVote(run.world, callers[0] as Caller, ballot, YES_OR_NO.answersOf(0));
    const { vote } = bodyOf<{ vote: { id: string } }>(again, 201);
    const answer = await organizer.delete(`/votes/${vote.id}`);
    bodyOf(answer, 200);
    const stats = await organizer.get(`/client/meetings/${meeting.id}/current-question/stats`);
    const { totalVotes } = bodyOf<{ totalVotes: number }>(stats, 200);
    same('The number of votes after one was deleted', totalVotes, 0);
    return [answer, refused(await organizer.delete(`/votes/${vote.id}`), 404)];
  });
}

async function endMeeting({ steps, organizer, meeting, late }: VotingSetup): Promise<void> {
  const question = meeting.questions[0] as Question;
  await steps.step('End the meeting, after which nobody can vote', async () => {
    const answer = await organizer.post(`/client/meetings/${meeting.id}/end`);
    bodyOf(answer, 200);
    const path = `/voting/meetings/${meeting.id}/questions/${question.id}/vote`;
    const vote = await late.post(path, { answers: YES_OR_NO.answersOf(0) });
    return [answer, refused(vote, 409, 'round_not_open')];
  });
}
