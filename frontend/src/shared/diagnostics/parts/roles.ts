import { openQuestion } from '../assembly/organizing';
import type { Caller } from '../run/caller';
import type { Run } from '../run/diagnostic';
import { bodyOf } from '../run/unexpected';
import { startMeeting } from './running-meeting';

/** The roles that access is tested with. `theirs` is the client whose meeting is in the calls. */
export type Role =
  | 'nobody'
  | 'SUPER_ADMIN'
  | 'CLIENT'
  | 'CLIENT of another organization'
  | 'END_USER'
  | 'END_USER who is not invited'
  | 'END_USER of another organization';

export interface Cast {
  callers: Map<Role, Caller>;
  meetingId: string;
  questionId: string;
  endUserId: string;
  endUserName: string;
}

/** Creates the callers of all roles. The client portal has one client only, and no super administrator. */
export async function castOf(run: Run): Promise<Cast> {
  const { world, own } = run;
  const [voter, uninvited] = await world.addVoters(2);
  if (!voter || !uninvited) {
    throw new Error('The test voters are missing.');
  }
  const meeting = await startMeeting(run, [voter], ['TEST_Who may vote?']);
  const questionId = meeting.questions[0]?.id ?? '';
  await openQuestion(meeting.organizer, meeting.id, questionId);
  const callers = new Map<Role, Caller>([
    ['nobody', own.as(null)],
    ['CLIENT', meeting.organizer],
    ['END_USER', await world.signInVoter(voter)],
    ['END_USER who is not invited', await world.signInVoter(uninvited)],
  ]);
  if (run.portal === 'SUPER_ADMIN') {
    callers.set('SUPER_ADMIN', own);
    const admin = world.newAdministrator();
    const client = await world.addClient(admin);
    const organizer = await world.signInAccount(admin);
    callers.set('CLIENT of another organization', organizer);
    const { password } = world.newAdministrator();
    const name = world.name('voter');
    const body = { name, username: name, password, weight: 1 };
    bodyOf(await organizer.post('/client/end-users', body), 201);
    const signIn = { clientCode: client.clientCode, username: name, password };
    const session = bodyOf<{ token: string }>(await own.as(null).post('/auth/end-user/login', signIn), 200);
    callers.set('END_USER of another organization', own.as({ token: session.token }));
  }
  return { callers, meetingId: meeting.id, questionId, endUserId: voter.id, endUserName: voter.name };
}
