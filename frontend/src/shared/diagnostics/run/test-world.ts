import type { Client, CreateQuestionBody, EndUser, Meeting, Question, User } from '../../../api/types';
import { randomPassword } from '../../random-password';
import { TEST_PREFIX } from '../../test-data';
import type { Caller } from './caller';
import type { Portal } from './portal';
import { type Leftovers, noLeftovers, removeAll } from './remove-all';
import { several } from './several';
import { findNamed, idsOf } from './test-data';
import { runMark, TEST_CLIENT_PREFIX } from './test-names';
import { bodyOf, Unexpected } from './unexpected';

const MINUTE_MS = 60_000;
/** As in the specification: a test meeting starts in 1 minute, ends in 1 hour and has at most 100 participants. */
const STARTS_IN_MS = MINUTE_MS;
const ENDS_IN_MS = 60 * MINUTE_MS;
const ROOM = 100;
/** Each hashes a password; more at once would only wait for each other. */
const END_USERS_AT_ONCE = 4;

/** The organization that contains the test data. */
export interface TestOrganization {
  id: string;
  name: string;
  clientCode: string;
  /** Its administrator: the one of a test client, or the person at the screen. */
  organizer: Caller;
}

export interface TestVoter {
  id: string;
  username: string;
  password: string;
  name: string;
  weight: number;
}

export interface TestMeeting {
  id: string;
  title: string;
  questions: Question[];
}

/** A test voter, and a caller with their session. */
export interface SignedInVoter {
  voter: TestVoter;
  caller: Caller;
}

type TestQuestion = Omit<CreateQuestionBody, 'meetingId'>;

/**
 * Creates the test data of one run, records them, and deletes them. A super administrator's tests use a test client; an
 * organizer's tests use their own client. Both have the same methods.
 */
export class TestWorld {
  readonly #portal: Portal;
  readonly #own: Caller;
  readonly #user: User;
  /** Part of every name that this run creates. */
  readonly mark = runMark();
  #made: Leftovers = noLeftovers();
  #organization: Promise<TestOrganization> | null = null;
  #count = 0;

  constructor(portal: Portal, own: Caller, user: User) {
    this.#portal = portal;
    this.#own = own;
    this.#user = user;
  }

  /** Returns a name unique to this run: `TEST_{label}_{mark}_{number}`. */
  name(label: string, prefix = TEST_PREFIX): string {
    this.#count += 1;
    return `${prefix}${label}_${this.mark}_${this.#count}`;
  }

  /** The organization of the test data. The first call creates a test client. */
  organization(): Promise<TestOrganization> {
    this.#organization ??= this.#portal === 'SUPER_ADMIN' ? this.#foundClient() : this.#ownOrganization();
    return this.#organization;
  }

  async organizer(): Promise<Caller> {
    return (await this.organization()).organizer;
  }

  async #ownOrganization(): Promise<TestOrganization> {
    const { clientId, clientName, clientCode } = this.#user;
    if (!clientId || !clientCode) {
      throw new Unexpected('Your account belongs to no organization');
    }
    return { id: clientId, name: clientName ?? clientCode, clientCode, organizer: this.#own };
  }

  async #foundClient(): Promise<TestOrganization> {
    const admin = this.newAdministrator();
    const client = await this.addClient(admin);
    const organizer = await this.signInAccount(admin);
    return { id: client.id, name: client.name, clientCode: client.clientCode, organizer };
  }

  /** Random credentials that no one else knows. */
  newAdministrator(): { email: string; password: string } {
    return { email: `${this.name('admin').toLowerCase()}@plenum.test`, password: randomPassword() };
  }

  /** For super administrators only. */
  async addClient(admin: { email: string; password: string }): Promise<Client> {
    const name = this.name('', TEST_CLIENT_PREFIX).replaceAll('__', '_');
    const body = { name, firstName: 'Test', lastName: 'Administrator', ...admin };
    const { data } = bodyOf<{ data: Client }>(await this.#own.post('/clients', body), 201);
    this.#made.clientIds.push(data.id);
    return data;
  }

  async signInAccount(account: { email: string; password: string }): Promise<Caller> {
    const answer = await this.#own.as(null).post('/auth/login', account);
    return this.#own.as({ token: bodyOf<{ token: string }>(answer, 200).token });
  }

  /** Their passwords are hashed at the full cost, so that their sign-ins take the usual time. */
  async addVoters(
    number: number,
    weightOf: (index: number) => number = () => 1,
    onAdded: (done: number) => void = () => {},
  ): Promise<TestVoter[]> {
    const organizer = await this.organizer();
    let done = 0;
    return several(Array.from({ length: number }), END_USERS_AT_ONCE, async (_, index) => {
      const name = this.name('voter');
      const wanted = { name, username: name, password: randomPassword(), weight: weightOf(index) };
      const { data } = bodyOf<{ data: EndUser }>(await organizer.post('/client/end-users', wanted), 201);
      this.noteEndUser(data.id);
      done += 1;
      onAdded(done);
      return { id: data.id, ...wanted };
    });
  }

  async signInVoter(voter: { username: string; password: string }): Promise<Caller> {
    const { clientCode } = await this.organization();
    const body = { clientCode, username: voter.username, password: voter.password };
    const answer = await this.#own.as(null).post('/auth/end-user/login', body);
    return this.#own.as({ token: bodyOf<{ token: string }>(answer, 200).token });
  }

  /**
   * Creates a meeting for these voters alone, without starting it. It is a draft until its list of participants exists,
   * so that other voters never see it.
   */
  async addMeeting(voters: TestVoter[], questions: TestQuestion[]): Promise<TestMeeting> {
    const organizer = await this.organizer();
    const title = this.name('meeting');
    const now = Date.now();
    const body = {
      title,
      status: 'DRAFT',
      scheduledStartTime: new Date(now + STARTS_IN_MS).toISOString(),
      scheduledEndTime: new Date(now + ENDS_IN_MS).toISOString(),
      maxParticipants: Math.max(ROOM, voters.length),
    };
    const { id } = bodyOf<Meeting>(await organizer.post('/client/meetings', body), 201);
    this.noteMeeting(id);
    const endUserIds = voters.map((voter) => voter.id);
    bodyOf(await organizer.post(`/client/meetings/${id}/participants`, { endUserIds }), 200, 201);
    const added: Question[] = [];
    // One after another: their order is the order of the agenda.
    for (const question of questions) {
      added.push(await this.addQuestion(id, question));
    }
    return { id, title, questions: added };
  }

  async addQuestion(meetingId: string, question: TestQuestion): Promise<Question> {
    const organizer = await this.organizer();
    const answer = await organizer.post('/client/questions', { meetingId, ...question });
    const added = bodyOf<Question>(answer, 201);
    this.#made.questionIds.push(added.id);
    return added;
  }

  /** Records data that a test creates without the methods above, so that they are deleted as well. */
  noteVote(id: string): void {
    this.#made.voteIds.push(id);
  }

  noteMeeting(id: string): void {
    this.#made.meetingIds.push(id);
  }

  noteEndUser(id: string): void {
    this.#made.endUserIds.push(id);
  }

  noteClient(id: string): void {
    this.#made.clientIds.push(id);
  }

  /** Whether there may be data to delete. */
  get isUsed(): boolean {
    return this.#count > 0 || Object.values(this.#made).some((ids: string[]) => ids.length > 0);
  }

  /**
   * Deletes all created data, also if the test was stopped: `own` must not use the signal of the test. Missing data are
   * not an error. Returns the data that could not be deleted.
   */
  async remove(own: Caller): Promise<string[]> {
    if (!this.isUsed) {
      return [];
    }
    // A client whose creation is still running is deleted as well.
    const organization = await this.#organization?.catch(() => null);
    const organizer = organization?.organizer;
    const signal = new AbortController().signal;
    const remover = organizer?.identity === 'own' || !organizer ? own : organizer.under(signal);
    const kept = await removeAll(this.#made, own, remover);
    // A lost response leaves a record whose id is unknown here.
    const found = await findNamed(own, this.#portal, this.mark);
    kept.push(...(await removeAll(idsOf(found), own, own)));
    if (kept.length === 0) {
      this.#made = noLeftovers();
    }
    return kept;
  }
}
