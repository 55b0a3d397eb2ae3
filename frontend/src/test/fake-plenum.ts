import { http } from 'msw';
import { apiUrl } from '../api/base-path';
import type { Role, User } from '../api/types';
import { partsOf, signed } from '../shared/diagnostics/parts/forged-tokens';
import {
  type Client,
  type EndUser,
  type FakeCall,
  type Fields,
  invalid,
  json,
  type Meeting,
  missing,
  type Person,
  page,
  type Question,
  type Round,
  refusal,
  type Vote,
} from './fake-plenum-data';
import { clientAdmin, superAdmin } from './people';

type Access = 'public' | 'signedIn' | 'platform' | 'accounts' | 'client' | 'voter' | 'people';
type Route = [method: string, path: RegExp, access: Access, answer: (call: FakeCall, id: string) => Response];

const KEY = 'the key of the fake, which nobody would guess';
const ALLOWED: Record<Access, Role[]> = {
  public: [],
  signedIn: ['SUPER_ADMIN', 'CLIENT', 'END_USER'],
  platform: ['SUPER_ADMIN'],
  accounts: ['SUPER_ADMIN', 'CLIENT'],
  client: ['CLIENT'],
  voter: ['END_USER'],
  people: ['CLIENT', 'END_USER'],
};

/**
 * A healthy server in memory, with the endpoints that the diagnostic tests need. `sick` overrides its answers.
 * `latencyOf` sets the duration of a request by a clock that only this fake moves.
 */
export class FakePlenum {
  clients: Client[] = [];
  endUsers: EndUser[] = [];
  meetings: Meeting[] = [];
  questions: Question[] = [];
  rounds: Round[] = [];
  votes: Vote[] = [];
  readonly calls: FakeCall[] = [];
  endedSessions = new Set<string>();
  /** The owner of the token; a test replaces it to make exceptions. */
  readToken = (token: string, healthy: (token: string) => Person | Response): Person | Response =>
    healthy(token);
  sick: (call: FakeCall) => Response | undefined | Promise<Response | undefined> = () => undefined;
  latencyOf: (call: FakeCall) => number = () => 1;
  databaseMs = 0.3;
  residentBytes: () => number = () => 100 * 1024 * 1024;
  #clock = 0;
  #ids = 0;

  constructor() {
    const { id, clientId, clientName, clientCode, email } = clientAdmin;
    const admin = { id, email: email ?? '', password: 'unknown' };
    this.clients.push({ id: clientId ?? '', name: clientName ?? '', clientCode: clientCode ?? '', admin });
  }

  /** Replaces `performance.now`. */
  readonly now = (): number => this.#clock;

  readonly handler = http.all(`${apiUrl}/*`, async ({ request }) => {
    const url = new URL(request.url);
    const text = await request.text();
    const token =
      request.headers.get('Authorization')?.slice('Bearer '.length) ?? url.searchParams.get('token');
    const whose = token === null ? null : this.readToken(token, (good) => this.#personOf(good));
    const call: FakeCall = {
      method: request.method,
      path: url.href.slice(apiUrl.length).split('?')[0] ?? '',
      query: url.searchParams,
      body: text === '' ? {} : (JSON.parse(text) as Fields),
      person: whose instanceof Response ? null : whose,
    };
    this.calls.push(call);
    this.#clock += this.latencyOf(call);
    return (await this.sick(call)) ?? this.answer(call, whose);
  });

  /** The answers of a healthy server. */
  answer(call: FakeCall, whose: Person | Response | null = call.person): Response {
    for (const [method, path, access, answer] of this.#routes) {
      const match = method === call.method ? path.exec(call.path) : null;
      if (match) {
        return this.#refusalOf(access, whose) ?? answer(call, decodeURIComponent(match[1] ?? ''));
      }
    }
    return missing();
  }

  tokenOf(user: User): string {
    return this.#issue({ role: user.role, id: user.id, clientId: user.clientId });
  }

  expiredToken(person: Person): string {
    return this.#issue(person, -3600);
  }

  #issue({ role, id, clientId }: Person, endsIn = 900): string {
    const exp = Math.floor(Date.now() / 1000) + endsIn;
    const claims = { iss: 'plenum', sub: id, sid: this.#newId(), role, cid: clientId ?? undefined, exp };
    return signed({ typ: 'JWT', alg: 'HS256' }, { ...claims, iat: exp - 900 }, KEY);
  }

  #personOf(token: string): Person | Response {
    const parts = partsOf(token);
    if (parts?.header.alg !== 'HS256' || token !== signed(parts.header, parts.claims, KEY)) {
      return refusal(403, 'invalid_token');
    }
    const { role, sub, cid, sid, exp } = parts.claims as Record<string, string>;
    if (Number(exp) * 1000 < Date.now()) {
      return refusal(401, 'token_expired');
    }
    const person = { role: role as Role, id: sub ?? '', clientId: cid ?? null };
    const isGone = role === 'END_USER' && !this.endUsers.some(({ id }) => id === sub);
    return isGone || this.endedSessions.has(sid ?? '')
      ? refusal(401, 'session_ended')
      : ({ ...person, sid } as Person);
  }

  #refusalOf(access: Access, whose: Person | Response | null): Response | null {
    if (access === 'public') {
      return null;
    }
    if (whose === null) {
      return refusal(401, 'authentication_required');
    }
    if (whose instanceof Response) {
      return whose;
    }
    return ALLOWED[access].includes(whose.role) ? null : refusal(403, 'wrong_role');
  }

  #newId(): string {
    this.#ids += 1;
    return `00000000-0000-7000-8000-${String(this.#ids).padStart(12, '0')}`;
  }

  #searched<T extends object>(rows: T[], { query }: FakeCall): T[] {
    const wanted = (query.get('search') ?? '').toLowerCase();
    return rows.filter((row) =>
      Object.values(row).some((value) => String(value).toLowerCase().includes(wanted)),
    );
  }

  #listed<T extends { id: string; clientId?: string }>(rows: T[], call: FakeCall): Response {
    const isWrong =
      !['name', '-name', null].includes(call.query.get('sort')) ||
      call.query.has('status') ||
      !/^\d+$/.test(call.query.get('page') ?? '1') ||
      !/^\d+$/.test(call.query.get('pageSize') ?? '1');
    const own = rows.filter(({ clientId }) => clientId === undefined || clientId === call.person?.clientId);
    return isWrong ? invalid() : page(this.#searched(own, call));
  }

  /** The meeting, if the caller may see it; otherwise the refusal. */
  #meetingFor(id: string, { person }: FakeCall): Meeting | Response {
    const meeting = this.meetings.find((one) => one.id === id && one.clientId === person?.clientId);
    if (!meeting) {
      return refusal(404, 'meeting_not_found');
    }
    const isInvited = person?.role === 'CLIENT' || meeting.participants.includes(person?.id ?? '');
    return isInvited ? meeting : refusal(403, 'not_invited');
  }

  #ofMeeting(answer: (meeting: Meeting, call: FakeCall) => Response): Route[3] {
    return (call, id) => {
      const meeting = this.#meetingFor(id, call);
      return meeting instanceof Response ? meeting : answer(meeting, call);
    };
  }

  #roundOf(questionId: string | null): Round | undefined {
    return this.rounds.find((round) => round.questionId === questionId);
  }

  #step({ current }: Meeting): Fields {
    const round = this.#roundOf(current);
    return {
      success: true,
      step: 1,
      currentQuestion: current === null ? null : { id: current, isActive: true, roundId: round?.id },
    };
  }

  #put(meeting: Meeting, { body }: FakeCall): Response {
    for (const round of this.rounds.filter(({ meetingId }) => meetingId === meeting.id)) {
      round.isOpen = false;
    }
    meeting.current = body.questionId as string | null;
    if (meeting.current !== null) {
      const round = this.#roundOf(meeting.current);
      if (round) {
        round.isOpen = true;
      } else {
        this.rounds.push({
          id: this.#newId(),
          meetingId: meeting.id,
          questionId: meeting.current,
          isOpen: true,
        });
      }
    }
    return json(200, this.#step(meeting));
  }

  #vote(call: FakeCall, questionId: string): Response {
    const meeting = this.#meetingFor(call.path.split('/')[3] ?? '', call);
    if (meeting instanceof Response) {
      return meeting.status === 403 ? refusal(403, 'not_in_register') : missing('question_not_found');
    }
    const round = this.#roundOf(questionId);
    const voterId = call.person?.id ?? '';
    const answers = call.body.answers as string[];
    let vote = this.votes.find((one) => one.roundId === round?.id && one.voterId === voterId);
    if (!round?.isOpen) {
      return refusal(409, 'round_not_open');
    }
    if (!vote) {
      vote = { id: this.#newId(), roundId: round.id, voterId, answers };
      this.votes.push(vote);
    }
    return json(201, { success: true, vote });
  }

  result(round: Round): Fields {
    const meeting = this.meetings.find(({ id }) => id === round.meetingId);
    const question = this.questions.find(({ id }) => id === round.questionId);
    const votes = this.votes.filter(({ roundId }) => roundId === round.id);
    const weightOf = (voterId: string) =>
      question?.countsHeads ? 1 : (this.endUsers.find(({ id }) => id === voterId)?.weight ?? 0);
    const count = (ids: string[]) => ({
      heads: ids.length,
      weight: ids.reduce((sum, id) => sum + weightOf(id), 0),
    });
    const cast = votes.map(({ voterId }) => voterId);
    const silent = (meeting?.participants ?? []).filter((id) => !cast.includes(id));
    return {
      roundId: round.id,
      questionText: question?.questionText,
      questionType: question?.questionType,
      register: count(meeting?.participants ?? []),
      votesCast: count(cast),
      notVoted: count(silent),
      invalid: count([]),
      options: question?.options.map((text) => ({
        text,
        ...count(votes.filter(({ answers }) => answers.includes(text)).map(({ voterId }) => voterId)),
      })),
      numbers: null,
      differentTexts: null,
    };
  }

  #voterMeeting(meeting: Meeting): Response {
    const questions = this.rounds
      .filter(({ meetingId }) => meetingId === meeting.id)
      .map((round) => ({
        id: round.questionId,
        roundId: round.id,
        isActive: round.isOpen,
        isInRegister: true,
      }));
    return json(200, { success: true, meeting: { id: meeting.id, status: meeting.status, questions } });
  }

  #signIn(person: Person | undefined): Response {
    return person
      ? json(200, { token: this.#issue(person), refreshToken: 'x' })
      : refusal(401, 'invalid_credentials');
  }

  #remove<T extends { id: string }>(rows: T[], id: string): Response {
    const index = rows.findIndex((row) => row.id === id);
    if (index < 0) {
      return missing();
    }
    rows.splice(index, 1);
    return json(200, { success: true });
  }

  #one<T extends { id: string; clientId?: string }>(
    rows: T[],
    id: string,
    call: FakeCall,
    wrap = false,
    code?: string,
  ): Response {
    const row = rows.find(
      (one) => one.id === id && (!one.clientId || one.clientId === call.person?.clientId),
    );
    return row ? json(200, wrap ? { success: true, data: row } : row) : missing(code);
  }

  readonly #routes: Route[] = [
    ['GET', /^\/health$/, 'public', () => json(200, { status: 'ok' })],
    ['GET', /^\/test\/auth$/, 'accounts', () => json(200, { success: true })],
    [
      'GET',
      /^\/test\/database$/,
      'accounts',
      () => json(200, { success: true, details: { latencyMs: this.databaseMs } }),
    ],
    ['GET', /^\/test\/schema$/, 'accounts', () => json(200, { isValid: true, details: { differences: [] } })],
    [
      'GET',
      /^\/test\/memory$/,
      'platform',
      () => json(200, { details: { residentBytes: this.residentBytes() } }),
    ],
    [
      'GET',
      /^\/test\/expired-token$/,
      'accounts',
      ({ person }) => json(200, { token: person ? this.expiredToken(person) : '' }),
    ],
    [
      'POST',
      /^\/auth\/login$/,
      'public',
      ({ body }) => {
        const client = this.clients.find(
          ({ admin }) => admin.email === body.email && admin.password === body.password,
        );
        return this.#signIn(client && { role: 'CLIENT', id: client.admin.id, clientId: client.id });
      },
    ],
    [
      'POST',
      /^\/auth\/end-user\/login$/,
      'public',
      ({ body }) => {
        const client = this.clients.find(({ clientCode }) => clientCode === body.clientCode);
        const found = this.endUsers.find(
          (one) =>
            one.clientId === client?.id && one.username === body.username && one.password === body.password,
        );
        return this.#signIn(found && { role: 'END_USER', id: found.id, clientId: found.clientId });
      },
    ],
    [
      'POST',
      /^\/auth\/logout$/,
      'signedIn',
      ({ person }) => {
        this.endedSessions.add((person as unknown as { sid: string }).sid);
        return json(200, { success: true });
      },
    ],
    ['GET', /^\/auth\/me$/, 'signedIn', () => json(200, { user: {} })],
    [
      'GET',
      /^\/clients$/,
      'platform',
      (call) => (call.query.has('status') ? invalid() : this.#listed(this.clients, call)),
    ],
    [
      'POST',
      /^\/clients$/,
      'platform',
      ({ body }) => {
        const id = this.#newId();
        const admin = { id: this.#newId(), email: String(body.email), password: String(body.password) };
        const client = { id, name: String(body.name), clientCode: String(body.name).toLowerCase(), admin };
        this.clients.push(client);
        return json(201, { success: true, data: client });
      },
    ],
    ['GET', /^\/(?:clients\/stats|sessions\/stats|activity)$/, 'platform', () => json(200, {})],
    ['GET', /^\/clients\/([^/]+)$/, 'platform', (call, id) => this.#one(this.clients, id, call, true)],
    ['DELETE', /^\/clients\/([^/]+)$/, 'platform', (_, id) => this.#remove(this.clients, id)],
    [
      'GET',
      /^\/(?:accounts|reports\/clients)$/,
      'platform',
      (call) => page(this.#searched<object>([], call)),
    ],
    ['GET', /^\/client\/(?:activity|end-users\/stats|meetings\/stats)$/, 'client', () => json(200, {})],
    ['GET', /^\/client\/end-users$/, 'client', (call) => this.#listed(this.endUsers, call)],
    [
      'POST',
      /^\/client\/end-users$/,
      'client',
      ({ body, person }) => {
        const { name, username, password, weight, address } = body as Record<string, string>;
        const made = {
          id: this.#newId(),
          clientId: person?.clientId ?? '',
          name: name ?? '',
          username: username ?? '',
          password: password ?? '',
          weight: Number(weight),
          address: address ?? null,
        };
        this.endUsers.push(made);
        return json(201, { success: true, data: made });
      },
    ],
    [
      'GET',
      /^\/client\/end-users\/([^/]+)$/,
      'client',
      (call, id) => this.#one(this.endUsers, id, call, true, 'end_user_not_found'),
    ],
    [
      'PUT',
      /^\/client\/end-users\/([^/]+)$/,
      'client',
      (call, id) => {
        Object.assign(this.endUsers.find((one) => one.id === id) ?? {}, call.body);
        return this.#one(this.endUsers, id, call, true, 'end_user_not_found');
      },
    ],
    ['DELETE', /^\/client\/end-users\/([^/]+)$/, 'client', (_, id) => this.#remove(this.endUsers, id)],
    ['GET', /^\/client\/meetings$/, 'client', (call) => this.#listed(this.meetings, call)],
    [
      'POST',
      /^\/client\/meetings$/,
      'client',
      ({ body, person }) => {
        const clientId = person?.clientId ?? '';
        const title = String(body.title);
        const made = { id: this.#newId(), clientId, title, status: 'DRAFT', participants: [], current: null };
        this.meetings.push(made);
        return json(201, made);
      },
    ],
    ['GET', /^\/client\/meetings\/by-link\/([^/]+)$/, 'client', () => missing()],
    ['GET', /^\/client\/meetings\/([^/]+)$/, 'client', this.#ofMeeting((meeting) => json(200, meeting))],
    ['DELETE', /^\/client\/meetings\/([^/]+)$/, 'client', (_, id) => this.#remove(this.meetings, id)],
    [
      'POST',
      /^\/client\/meetings\/([^/]+)\/participants$/,
      'client',
      this.#ofMeeting((meeting, { body }) => {
        meeting.participants = body.endUserIds as string[];
        return json(200, { success: true });
      }),
    ],
    [
      'POST',
      /^\/client\/meetings\/([^/]+)\/start$/,
      'client',
      this.#ofMeeting((meeting) => {
        meeting.status = 'ACTIVE';
        return json(200, meeting);
      }),
    ],
    [
      'PUT',
      /^\/client\/meetings\/([^/]+)\/current-question$/,
      'client',
      this.#ofMeeting((...both) => this.#put(...both)),
    ],
    [
      'GET',
      /^\/client\/meetings\/([^/]+)\/current-question\/stats$/,
      'client',
      this.#ofMeeting(({ current }) => {
        const roundId = this.#roundOf(current)?.id;
        return json(200, { totalVotes: this.votes.filter((vote) => vote.roundId === roundId).length });
      }),
    ],
    [
      'GET',
      /^\/client\/meetings\/([^/]+)\/rounds$/,
      'client',
      this.#ofMeeting(({ id }) =>
        json(
          200,
          this.rounds.filter(({ meetingId }) => meetingId === id),
        ),
      ),
    ],
    [
      'GET',
      /^\/client\/meetings\/([^/]+)\/(?:results|results\/export|remarks|rehearsal)$/,
      'client',
      this.#ofMeeting(() => json(200, {})),
    ],
    ['POST', /^\/client\/end-users\/import\/read$/, 'client', () => json(200, {})],
    ['GET', /^\/client\/meetings\/[^/]+\/rounds\/([^/]+)\/(?:register|answers)$/, 'client', () => page([])],
    ['GET', /^\/client\/meetings\/([^/]+)\/invitations$/, 'client', this.#ofMeeting(() => page([]))],
    [
      'POST',
      /^\/client\/meetings\/[^/]+\/rounds\/([^/]+)\/count$/,
      'client',
      (_, roundId) => {
        const round = this.rounds.find(({ id }) => id === roundId);
        return round ? json(200, this.result(round)) : missing();
      },
    ],
    [
      'POST',
      /^\/client\/questions$/,
      'client',
      ({ body }) => {
        const { meetingId, questionText, questionType } = body as Record<string, string>;
        const made = {
          id: this.#newId(),
          meetingId: meetingId ?? '',
          questionText: questionText ?? '',
          questionType: questionType ?? '',
          options: (body.options ?? []) as string[],
        };
        this.questions.push(made);
        return json(201, made);
      },
    ],
    [
      'GET',
      /^\/client\/questions\/meeting\/([^/]+)$/,
      'client',
      this.#ofMeeting(({ id }) =>
        json(
          200,
          this.questions.filter(({ meetingId }) => meetingId === id),
        ),
      ),
    ],
    [
      'GET',
      /^\/client\/questions\/([^/]+)$/,
      'client',
      (call, id) => {
        const question = this.questions.find((one) => one.id === id);
        const meeting = this.#meetingFor(question?.meetingId ?? '', call);
        return question && !(meeting instanceof Response)
          ? json(200, question)
          : missing('question_not_found');
      },
    ],
    ['DELETE', /^\/client\/questions\/([^/]+)$/, 'client', (_, id) => this.#remove(this.questions, id)],
    ['DELETE', /^\/votes\/([^/]+)$/, 'accounts', (_, id) => this.#remove(this.votes, id)],
    [
      'GET',
      /^\/sse\/meetings\/([^/]+)\/(?:state|stream)$/,
      'people',
      this.#ofMeeting(({ id }) => json(200, { id })),
    ],
    [
      'GET',
      /^\/voting\/meetings$/,
      'voter',
      ({ person }) => {
        const meetings = this.meetings.filter(({ participants }) => participants.includes(person?.id ?? ''));
        return json(200, { success: true, meetings });
      },
    ],
    [
      'GET',
      /^\/voting\/meetings\/([^/]+)$/,
      'voter',
      this.#ofMeeting((meeting) => this.#voterMeeting(meeting)),
    ],
    [
      'POST',
      /^\/voting\/meetings\/[^/]+\/questions\/([^/]+)\/vote$/,
      'voter',
      (call, questionId) => this.#vote(call, questionId),
    ],
    ['GET', /^\/public\/client\/([^/]+)$/, 'public', () => missing()],
    [
      'GET',
      /^\/public\/meetings\/([^/]+)\/presentation$/,
      'public',
      (_, id) => (this.meetings.some((one) => one.id === id) ? json(200, {}) : missing()),
    ],
  ];
}

export const fakePeople = { SUPER_ADMIN: superAdmin, CLIENT: clientAdmin };
