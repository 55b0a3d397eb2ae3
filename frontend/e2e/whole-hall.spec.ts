import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type Page, request } from '@playwright/test';
import { type Caller, signInThroughApi } from './support/organization';
import { endQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange, type Setting } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, test } from './support/test';
import { joinAsVoter } from './support/voter';

// 300 people: 120 represented by 12 of the others, 30 who vote on paper, 10 who come late, and 140 with phones, of whom the first
// 12 hold 10 proxies each.
const PRINCIPALS = { from: 0, to: 120 };
const PHONES = { from: 120, to: 260 };
const PAPERS = { from: 260, to: 290 };
const LATE = { from: 290, to: 300 };
const HOLDERS = 12;
const QUESTION = 'Is the roof repaired?';
const TABLET = { width: 768, height: 1024 };

interface Heads {
  heads: number;
}

interface LiveQuorum {
  present: Heads;
  represented: Heads;
  eligible: Heads;
  attending: number;
}

/** A meeting with check-in and proxies, whose people are not there yet. */
class Hall {
  readonly ids: string[] = [];

  constructor(
    readonly setting: Setting,
    readonly organizer: Caller,
    readonly api: APIRequestContext,
  ) {}

  static async arrange(serverUrl: string): Promise<Hall> {
    const setting = await arrange(serverUrl, { name: 'Whole Hall', voters: 0, questions: [] });
    const organizer = await signInThroughApi(serverUrl, setting.organizer);
    const hall = new Hall(setting, organizer, await request.newContext({ baseURL: serverUrl }));
    await hall.#importPeople();
    await organizer.put(hall.path(), {
      checkIn: 'ON',
      quorum: {
        comparison: 'at_least',
        numerator: 1,
        denominator: 2,
        unit: 'heads',
        attendance: 'present',
        atOpening: 'bar',
      },
    });
    await organizer.post('/api/client/questions', {
      meetingId: setting.meetingId,
      questionText: QUESTION,
      questionType: 'YES_NO',
      options: ['Yes', 'No'],
      secrecy: 'named',
    });
    await hall.#grantProxies();
    return hall;
  }

  path(rest = ''): string {
    return `/api/client/meetings/${this.setting.meetingId}${rest}`;
  }

  async #importPeople(): Promise<void> {
    const password = this.setting.organizer.password;
    const people = Array.from({ length: 300 }, (_, index) => ({
      line: index + 1,
      name: `Voter ${index + 1}`,
      username: `voter${index + 1}`,
      // Passwords are for those who sign in.
      ...(index >= PHONES.from && index < PHONES.to ? { password } : {}),
    }));
    await this.organizer.post('/api/client/end-users/import', { rows: people, dryRun: false });
    const found = (await this.organizer.get('/api/client/end-users')).data as {
      id: string;
      username: string;
    }[];
    const idOf = new Map(found.map(({ id, username }) => [username, id]));
    for (const { username } of people) {
      this.ids.push(idOf.get(username) ?? '');
      this.setting.voters.push({ username, password });
    }
  }

  async #grantProxies(): Promise<void> {
    await this.organizer.put(this.path('/proxies/settings'), {
      isOn: true,
      principalsMayGrant: false,
      maxPrincipals: 10,
      maxWeight: null,
      maxSharePercent: null,
      holders: 'PARTICIPANTS',
      questionsWithout: [],
    });
    const rows = this.ids.slice(PRINCIPALS.from, PRINCIPALS.to).map((_, index) => {
      const holder = PHONES.from + (index % HOLDERS);
      return `voter${index + 1},voter${holder + 1},Folder ${index + 1}`;
    });
    const content = Buffer.from(['Principal,Holder,Reference', ...rows].join('\n')).toString('base64');
    await this.organizer.post(this.path('/proxies/import'), {
      file: { fileName: 'proxies.csv', content },
      dryRun: false,
    });
  }

  async makeDesk(purpose: string, name: string): Promise<string> {
    const made = (await this.organizer.post(this.path('/desks'), { name, purpose })) as { token: string };
    return made.token;
  }

  /** Checks these people in at a desk, 100 at a time. */
  async checkIn(desk: string, { from, to }: { from: number; to: number }): Promise<void> {
    for (let begin = from; begin < to; begin += 100) {
      const entries = this.ids
        .slice(begin, Math.min(begin + 100, to))
        .map((endUserId) => ({ id: randomUUID(), endUserId, kind: 'IN' }));
      const headers = { Authorization: `Bearer ${desk}` };
      const answer = await this.api.post('/api/desk/entries', { data: { entries }, headers });
      expect(answer.ok(), await answer.text()).toBe(true);
    }
  }

  /** The figures of the presentation, once they are those of so many present and represented people. */
  async expectFigures(present: number, represented: number): Promise<void> {
    await expect
      .poll(async () => {
        const path = `/api/public/meetings/${this.setting.meetingId}/presentation`;
        const { quorum } = (await (await this.api.get(path)).json()) as { quorum: LiveQuorum };
        expect(quorum.attending).toBe(quorum.present.heads + quorum.represented.heads);
        return [quorum.present.heads, quorum.represented.heads, quorum.eligible.heads];
      })
      .toEqual([present, represented, 300]);
  }

  async roundId(): Promise<string> {
    const rounds = (await this.organizer.get(this.path('/rounds'))) as unknown as { id: string }[];
    return rounds[0]?.id ?? '';
  }

  /** Signs in the voter at this place and votes, with all proxies if they hold any. */
  async voteByPhone(index: number, answer: string, question: string): Promise<void> {
    const { username, password } = this.setting.voters[index] ?? { username: '', password: '' };
    const signedIn = await this.api.post('/api/auth/end-user/login', {
      data: { clientCode: this.setting.clientCode, username, password },
    });
    expect(signedIn.ok(), await signedIn.text()).toBe(true);
    const headers = { Authorization: `Bearer ${(await signedIn.json()).token}` };
    const path = `/api/voting/meetings/${this.setting.meetingId}/questions/${question}`;
    const held = await (await this.api.get(`${path}/proxies`, { headers })).json();
    const principals = ((held.votes ?? []) as { principal: { id: string } }[]).map(
      ({ principal }) => principal.id,
    );
    const ballots = ['self', ...principals].map((person) => ({ for: person, answers: [answer] }));
    const cast = await this.api.post(`${path}/votes`, {
      data: { roundId: await this.roundId(), ballots },
      headers,
    });
    expect(cast.ok(), await cast.text()).toBe(true);
  }
}

/** Enters the answers of these people as one batch at the tellers' desk. */
async function enterPapers(
  hall: Hall,
  tellers: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const ballots = hall.ids
    .slice(from, to)
    .map((endUserId, index) => ({ endUserId, answers: [index < 10 ? 'No' : 'Yes'] }));
  const answer = await hall.api.post(hall.path(`/rounds/${await hall.roundId()}/paper-batches`), {
    data: { id: randomUUID(), ballots },
    headers: { Authorization: `Bearer ${tellers}` },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

async function confirmPapers(control: Page, hall: Hall): Promise<void> {
  await control.goto(`/client/meetings/${hall.setting.meetingId}/control`);
  await control.getByRole('link', { name: 'Votes on Paper' }).click();
  await control.getByRole('button', { name: 'Compare and confirm: batch 1' }).click();
  await control.getByRole('button', { name: 'Confirm 30 votes' }).click();
  await expect(control.getByText('30 counted.')).toBeVisible();
}

test('a hall of 300 with proxies, paper and latecomers votes, and its figures add up', async ({
  openAs,
  server,
}) => {
  test.slow();
  const hall = await Hall.arrange(server.url);
  const [desk, tellers] = [
    await hall.makeDesk('CHECK_IN', 'Desk 1'),
    await hall.makeDesk('TELLERS', 'Tellers 1'),
  ];
  const control = await openAs(DESKTOP);
  const presentation = await openAs(PRESENTATION);
  await signInAsOrganizer(control, hall.setting.organizer);
  await presentation.goto(`/presentation/meeting/${hall.setting.meetingId}`);

  await test.step('people come in, and holders bring their principals along', async () => {
    await hall.expectFigures(0, 0);
    await hall.checkIn(desk, { from: PHONES.from + HOLDERS, to: PHONES.to });
    await hall.expectFigures(128, 0);
    await hall.checkIn(desk, { from: PHONES.from, to: PHONES.from + 1 });
    await hall.expectFigures(129, 10);
    const screen = await openAs(TABLET);
    await screen.goto(`/desk#${desk}`);
    const search = screen.getByLabel('Name, member number or group');
    await search.fill(`voter${PHONES.from + 2}`);
    await search.press('Enter');
    await expect(screen.getByText(`Voter ${PHONES.from + 2} is checked in.`)).toBeVisible();
    await hall.expectFigures(130, 20);
    await hall.checkIn(desk, { from: PHONES.from + 2, to: PHONES.from + HOLDERS });
    await hall.checkIn(desk, PAPERS);
    await hall.expectFigures(170, 120);
    await expect(presentation.getByText('170 checked in')).toBeVisible();
  });

  const holder = await openAs(PHONE);
  await joinAsVoter(holder, hall.setting, PHONES.from);
  await control.goto(`/client/meetings/${hall.setting.meetingId}/control`);
  await startQuestion(control);
  const question =
    (
      (await hall.organizer.get(`/api/client/questions/meeting/${hall.setting.meetingId}`)) as unknown as {
        id: string;
      }[]
    )[0]?.id ?? '';

  await test.step('a holder votes for ten others on the phone, and the others follow', async () => {
    await expect(holder.getByText('You vote for yourself and 10 others: 11 votes')).toBeVisible();
    await holder.getByRole('radio', { name: 'Yes', exact: true }).check();
    await holder.getByRole('button', { name: 'Submit 11 votes' }).click();
    await expect(holder.getByRole('heading', { name: '11 votes stored' })).toBeVisible();
    for (let index = PHONES.from + 1; index < PHONES.to; index += 10) {
      const some = Array.from({ length: Math.min(10, PHONES.to - index) }, (_, offset) => index + offset);
      await Promise.all(some.map((voter) => hall.voteByPhone(voter, voter < 200 ? 'Yes' : 'No', question)));
    }
    await hall.expectFigures(170, 120);
  });

  await test.step('thirty vote on paper, and ten latecomers are admitted', async () => {
    await enterPapers(hall, tellers, PAPERS);
    await confirmPapers(control, hall);
    await hall.checkIn(desk, LATE);
    await hall.expectFigures(180, 120);
    const round = await hall.roundId();
    for (const endUserId of hall.ids.slice(LATE.from, LATE.to)) {
      await hall.organizer.post(hall.path(`/rounds/${round}/admissions`), { endUserId, reason: 'Came late' });
    }
  });

  await test.step('the result has everybody once', async () => {
    await control.goto(`/client/meetings/${hall.setting.meetingId}/control`);
    await expect(control.getByText('290 of 300').first()).toBeVisible();
    await endQuestion(control);
    const round = await hall.roundId();
    const result = await hall.organizer.get(hall.path(`/rounds/${round}/result`));
    const heads = (count: unknown) => (count as Heads).heads;
    // 80 of the phones said yes, as their 120 principals did, and 60 no; of the papers, 20 yes and 10 no.
    const options = result.options as { text: string; heads: number }[];
    expect(Object.fromEntries(options.map(({ text, heads: votes }) => [text, votes]))).toEqual({
      Yes: 220,
      No: 70,
    });
    expect([result.register, result.absent, result.present, result.represented].map(heads)).toEqual([
      300, 0, 170, 120,
    ]);
    expect([result.votesCast, result.notVoted].map(heads)).toEqual([290, 10]);
    const ways = result.ways as Record<string, Heads>;
    expect([ways.device, ways.paper, ways.votingPlace].map(heads)).toEqual([260, 30, 0]);
    await control.goto(`/client/meetings/${hall.setting.meetingId}/results`);
    await expect(control.getByText('On paper').first()).toBeVisible();
  });
  await hall.api.dispose();
});
