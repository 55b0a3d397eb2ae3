import type { CreateQuestionBody, Meeting, Question } from '../../../../api/types';
import { NOBODYS_ID } from '../../../../shared/diagnostics/parts/nobodys-id';
import type { Answer } from '../../../../shared/diagnostics/run/answer';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { hold, refused, same } from '../../../../shared/diagnostics/run/expect';
import { success } from '../../../../shared/diagnostics/run/finding';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import type { TestVoter } from '../../../../shared/diagnostics/run/test-world';
import { bodyOf } from '../../../../shared/diagnostics/run/unexpected';

const MINUTE_MS = 60_000;
const ROOM = 100;
const STEPS = 25;

/** The tools of the steps. */
interface MeetingSetup {
  run: Run;
  steps: Steps;
  organizer: Caller;
}

export const meetingEndpoints: Diagnostic = {
  name: 'Meeting Endpoints',
  about: 'Takes a test meeting and its agenda through every call, from its creation to its deletion.',
  run: async (run) => {
    const steps = new Steps(run, STEPS);
    const organizer = await steps.step('Find the organization', () => run.world.organizer());
    const setup: MeetingSetup = { run, steps, organizer };
    const voters = await steps.step('Create two test voters', () => run.world.addVoters(2));
    const meeting = await createMeeting(setup);
    await readAndChange(setup, meeting);
    await checkParticipants(setup, meeting, voters);
    await checkAgenda(setup, meeting);
    await checkCourse(setup, meeting);
    await deleteMeeting(setup, meeting);
    return success(
      `Meetings, participants, agenda and invitation link work, and the calls that must be refused are refused (${steps.reports.length} steps).`,
      { steps: steps.reports },
    );
  },
};

async function createMeeting({ run, steps, organizer }: MeetingSetup): Promise<Meeting> {
  const now = Date.now();
  const wanted = {
    title: run.world.name('meeting'),
    description: 'Created by a diagnostic test',
    scheduledStartTime: new Date(now + MINUTE_MS).toISOString(),
    scheduledEndTime: new Date(now + 60 * MINUTE_MS).toISOString(),
    maxParticipants: ROOM,
  };
  await steps.step('Refuse a meeting that ends before it starts (422)', async () => {
    const { scheduledStartTime, scheduledEndTime } = wanted;
    const body = { ...wanted, scheduledStartTime: scheduledEndTime, scheduledEndTime: scheduledStartTime };
    return refused(noted(run, await organizer.post('/client/meetings', body)), 422, 'invalid_input');
  });
  await steps.step('Refuse a meeting without a title (422)', async () => {
    const answer = await organizer.post('/client/meetings', { ...wanted, title: '' });
    return refused(noted(run, answer), 422, 'invalid_input', ['title']);
  });
  const answer = await steps.step('Create a meeting', async () =>
    noted(run, await organizer.post('/client/meetings', wanted)),
  );
  const meeting = bodyOf<Meeting>(answer, 201);
  same('The status of a new meeting', meeting.status, 'DRAFT');
  sameMeeting(meeting, wanted);
  return meeting;
}

/** Records every created record, also one whose creation should have been refused. */
function noted({ world }: Run, answer: Answer): Answer {
  const id = (answer.body as { id?: string } | undefined)?.id;
  if (answer.status === 201 && id) {
    world.noteMeeting(id);
  }
  return answer;
}

function sameMeeting(
  meeting: Meeting,
  wanted: Pick<
    Meeting,
    'title' | 'description' | 'scheduledStartTime' | 'scheduledEndTime' | 'maxParticipants'
  >,
): void {
  const { title, description, scheduledStartTime, scheduledEndTime, maxParticipants } = meeting;
  const found = { title, description, maxParticipants };
  same('The meeting', found, {
    title: wanted.title,
    description: wanted.description,
    maxParticipants: wanted.maxParticipants,
  });
  same('Its planned start', Date.parse(scheduledStartTime), Date.parse(wanted.scheduledStartTime));
  same('Its planned end', Date.parse(scheduledEndTime), Date.parse(wanted.scheduledEndTime));
}

async function readAndChange({ run, steps, organizer }: MeetingSetup, meeting: Meeting): Promise<void> {
  const path = `/client/meetings/${meeting.id}`;
  await steps.step('Read it', async () => {
    const answer = await organizer.get(path);
    sameMeeting(bodyOf<Meeting>(answer, 200), meeting);
    return answer;
  });
  await steps.step('Find it by its title', async () => {
    const query = new URLSearchParams({ search: meeting.title, page: '1', pageSize: '5' });
    const answer = await organizer.get(`/client/meetings?${query}`);
    const { data } = bodyOf<{ data: Meeting[] }>(answer, 200);
    same(
      'What a search for its title finds',
      data.map(({ id }) => id),
      [meeting.id],
    );
    return answer;
  });
  await steps.step('Change it, and read the changes', async () => {
    const change = { title: run.world.name('changed'), description: 'Changed by a diagnostic test' };
    const answer = await organizer.put(path, change);
    bodyOf(answer, 200);
    sameMeeting(bodyOf<Meeting>(await organizer.get(path), 200), { ...meeting, ...change });
    return answer;
  });
  await steps.step('Refuse a meeting that does not exist (404)', async () => [
    refused(await organizer.get(`/client/meetings/${NOBODYS_ID}`), 404),
    refused(await organizer.get('/client/meetings/no-id'), 404),
  ]);
}

async function checkParticipants(
  { steps, organizer }: MeetingSetup,
  { id }: Meeting,
  voters: TestVoter[],
): Promise<void> {
  const path = `/client/meetings/${id}/participants`;
  const invited = async () => {
    const list = bodyOf<{ endUser: { id: string } }[]>(await organizer.get(path), 200);
    return list.map(({ endUser }) => endUser.id).sort();
  };
  const ids = voters.map((voter) => voter.id).sort();
  await steps.step('Invite the test voters', async () => {
    const answer = await organizer.post(path, { endUserIds: ids });
    same('The number of participants', bodyOf<{ participantCount: number }>(answer, 200).participantCount, 2);
    same('Invited people', await invited(), ids);
    return answer;
  });
  await steps.step('Remove one of them', async () => {
    const answer = await organizer.delete(path, { endUserIds: ids.slice(1) });
    same('The number of participants', bodyOf<{ participantCount: number }>(answer, 200).participantCount, 1);
    same('Invited people', await invited(), ids.slice(0, 1));
    return answer;
  });
}

async function checkAgenda({ run, steps, organizer }: MeetingSetup, { id }: Meeting): Promise<void> {
  const texts = async () => {
    const agenda = bodyOf<Question[]>(await organizer.get(`/client/questions/meeting/${id}`), 200);
    return agenda.map(({ questionText }) => questionText);
  };
  const [first, second] = await steps.step('Create two questions', async () => {
    const question: Omit<CreateQuestionBody, 'meetingId'> = {
      questionText: 'TEST_first',
      questionType: 'YES_NO',
    };
    return [
      await run.world.addQuestion(id, question),
      await run.world.addQuestion(id, { ...question, questionText: 'TEST_second', questionType: 'RATING' }),
    ] as [Question, Question];
  });
  await steps.step('Refuse a question without a text (422)', async () => {
    const body = { meetingId: id, questionText: '', questionType: 'YES_NO' };
    return refused(await organizer.post('/client/questions', body), 422, 'invalid_input', ['questionText']);
  });
  await steps.step('Change a question', async () => {
    const change = { questionText: 'TEST_second, changed', ratingMax: 10 };
    const answer = await organizer.put(`/client/questions/${second.id}`, change);
    bodyOf(answer, 200);
    const read = bodyOf<Question>(await organizer.get(`/client/questions/${second.id}`), 200);
    same('The changed question', { questionText: read.questionText, ratingMax: read.ratingMax }, change);
    return answer;
  });
  await steps.step('Change the order of the agenda', async () => {
    const questionOrders = [second, first].map((question, index) => ({
      questionId: question.id,
      orderIndex: index + 1,
    }));
    const answer = await organizer.put(`/client/questions/meeting/${id}/reorder`, { questionOrders });
    bodyOf(answer, 200);
    same('The agenda', await texts(), ['TEST_second, changed', 'TEST_first']);
    return answer;
  });
  const copy = await steps.step('Copy a question', async () => {
    const answer = await organizer.post(`/client/questions/${second.id}/duplicate`);
    const made = bodyOf<Question>(answer, 201);
    same('The place of the copy', (await texts()).indexOf(made.questionText, 1), 1);
    return { ...answer, made };
  });
  await steps.step('Delete the copy', async () => {
    const answer = await organizer.delete(`/client/questions/${copy.made.id}`);
    bodyOf(answer, 200);
    same('The agenda', await texts(), ['TEST_second, changed', 'TEST_first']);
    return answer;
  });
}

async function checkCourse({ run, steps, organizer }: MeetingSetup, { id }: Meeting): Promise<void> {
  const path = `/client/meetings/${id}`;
  const statusOf = async () => bodyOf<Meeting>(await organizer.get(path), 200).status;
  await steps.step('Create an invitation link, and open it without signing in', async () => {
    const answer = await organizer.post(`${path}/generate-link`);
    const { invitationLink } = bodyOf<{ invitationLink: string }>(answer, 200);
    hold(Boolean(invitationLink), 'The answer has no invitation link', answer);
    const followed = await run.own.as(null).get(`/meetings/by-link/${encodeURIComponent(invitationLink)}`);
    same('The target of the link', meetingIdIn(bodyOf(followed, 200)), id);
    return [answer, followed];
  });
  await steps.step('Refuse to open a question before the meeting runs (409)', async () => {
    const agenda = bodyOf<Question[]>(await organizer.get(`/client/questions/meeting/${id}`), 200);
    const answer = await organizer.put(`${path}/current-question`, { questionId: agenda[0]?.id });
    return refused(answer, 409, 'meeting_not_active');
  });
  await steps.step('Refuse to end it before it runs (409)', async () =>
    refused(await organizer.post(`${path}/end`), 409, 'meeting_not_active'),
  );
  await steps.step('Start it', async () => {
    const answer = await organizer.post(`${path}/start`);
    bodyOf(answer, 200);
    same('The status of a meeting that was started', await statusOf(), 'ACTIVE');
    return answer;
  });
  await steps.step('Refuse to delete it while it runs (409)', async () =>
    refused(await organizer.delete(path), 409, 'meeting_active'),
  );
  await steps.step('End it', async () => {
    const answer = await organizer.post(`${path}/end`);
    bodyOf(answer, 200);
    same('The status of a meeting that was ended', await statusOf(), 'COMPLETED');
    return answer;
  });
  await steps.step('Refuse to start it again, or to make another link (409)', async () => [
    refused(await organizer.post(`${path}/start`), 409, 'restart_unconfirmed'),
    refused(await organizer.post(`${path}/generate-link`), 409, 'invitation_link_void'),
  ]);
}

/** The meeting is the body itself, or a property of it. */
function meetingIdIn(body: unknown): string | undefined {
  const { id, meeting } = body as { id?: string; meeting?: { id?: string } };
  return meeting?.id ?? id;
}

async function deleteMeeting({ steps, organizer }: MeetingSetup, { id }: Meeting): Promise<void> {
  await steps.step('Delete it, and confirm that it and its agenda are gone (404)', async () => {
    const answer = await organizer.delete(`/client/meetings/${id}`);
    bodyOf(answer, 200);
    refused(await organizer.get(`/client/meetings/${id}`), 404);
    refused(await organizer.get(`/client/questions/meeting/${id}`), 404);
    return answer;
  });
}
