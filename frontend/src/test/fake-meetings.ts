import { HttpResponse } from 'msw';
import { afterEach, beforeEach } from 'vitest';
import type { Diagnostic } from '../shared/diagnostics/run/diagnostic';
import type { ResultEntry } from '../shared/diagnostics/run/runner';
import { fromBase64, receiptCode, toBase64 } from '../shared/sealing/sealing';
import { withFakePlenum } from './diagnostic-run';
import { FakeEventSource } from './fake-event-source';
import type { FakePlenum } from './fake-plenum';
import type { FakeCall } from './fake-plenum-data';
import { newUrn, openEnvelope } from './open-envelope';

type Fields = Record<string, unknown>;
type Kind = 'voter' | 'organizer' | 'presentation';

interface Screen {
  stream: FakeEventSource;
  kind: Kind;
  meetingId: string;
  voterId: string;
}

/** The key of all secret rounds. */
const URN = await newUrn();

/** An event on its way to a screen; a test may change or lose it. */
export interface FakeEvent {
  type: string;
  data: Fields;
  kind: Kind;
}

/** The fake server's meetings with their streams: every change is sent to all screens at once. */
export class FakeMeetings {
  readonly #fake: FakePlenum;
  #screens: Screen[] = [];
  readonly #versions: Record<Kind, number> = { voter: 100, organizer: 100, presentation: 100 };
  #step = 1;
  /** Changes an event before it is sent; null loses it. */
  onTheWay: (event: FakeEvent) => FakeEvent | null = (event) => event;
  /** Changes a result before it is sent. */
  counted: (result: Fields) => Fields = (result) => result;
  /** Stores every vote as a new one. */
  storesTwice = false;
  /** Answers instead of the healthy server. */
  sick: (call: FakeCall) => Response | undefined = () => undefined;

  constructor(fake: FakePlenum) {
    this.#fake = fake;
    fake.sick = (call) => this.sick(call) ?? this.#answer(call);
  }

  /** Connects a stream, as a browser's `EventSource` does. */
  connect(stream: FakeEventSource): void {
    const url = new URL(stream.url);
    const meetingId = /meetings\/([^/]+)/.exec(url.pathname)?.[1] ?? '';
    const token = url.searchParams.get('token');
    const { role, sub } = token === null ? {} : claimsOf(token);
    const kind: Kind = token === null ? 'presentation' : role === 'CLIENT' ? 'organizer' : 'voter';
    const screen = { stream, kind, meetingId, voterId: sub ?? '' };
    queueMicrotask(() => {
      this.#screens.push(screen);
      this.#send(screen, 'connected', this.#whole(screen));
      this.#sendToAll(meetingId, 'participant_count', () => ({ participantCount: this.#present() }));
    });
  }

  #present(): number {
    return this.#screens.filter(({ kind, stream }) => kind === 'voter' && !stream.isClosed).length;
  }

  #sendToAll(meetingId: string, type: string, dataFor: (screen: Screen) => Fields): void {
    for (const kind of ['voter', 'organizer', 'presentation'] as const) {
      this.#versions[kind] += 1;
    }
    for (const screen of this.#screens.filter((one) => one.meetingId === meetingId)) {
      this.#send(screen, type, dataFor(screen));
    }
  }

  #send(screen: Screen, type: string, data: Fields): void {
    const event = this.onTheWay({ type, data: { ...data }, kind: screen.kind });
    if (event && !screen.stream.isClosed) {
      screen.stream.send(event.type, event.data, this.#versions[screen.kind]);
    }
  }

  #whole({ kind, meetingId, voterId }: Pick<Screen, 'kind' | 'meetingId' | 'voterId'>): Fields {
    const meeting = this.#fake.meetings.find(({ id }) => id === meetingId);
    const counts = {
      instance: 'a',
      version: this.#versions[kind],
      isDelayed: false,
      checkIn: null,
      title: meeting?.title,
      status: meeting?.status,
      currentQuestion: this.#shown(meetingId, kind, voterId),
      voteCount: this.#votes(meetingId).length,
      registerSize: meeting?.current ? meeting.participants.length : 0,
      participantCount: this.#present(),
      quorum: null,
    };
    const times = { scheduledStartTime: '2026-11-21T18:00:00Z', scheduledEndTime: '2026-11-21T20:00:00Z' };
    return kind === 'presentation'
      ? { ...counts, ...times, description: null, organization: 'Club', clientCode: 'club', questionCount: 5 }
      : { ...counts, meetingId, step: this.#step, rehearsal: null };
  }

  #shown(meetingId: string, kind: Kind, voterId: string): Fields | null {
    const meeting = this.#fake.meetings.find(({ id }) => id === meetingId);
    const question = this.#fake.questions.find(({ id }) => id === meeting?.current) as unknown as Fields;
    if (!question) {
      return null;
    }
    const { id, questionText, questionType, options, ratingMax, maxChoices, orderIndex, secrecy } = question;
    const both = {
      questionType,
      options,
      ratingMax,
      maxChoices,
      orderIndex,
      closesAt: null,
      declaredRoundId: null,
      election: null,
      answerWall: null,
    };
    const openedAt = '2026-11-21T18:01:00Z';
    const hasVoted = this.#votes(meetingId).some((vote) => vote.voterId === voterId);
    const roundId = this.#fake.rounds.find(({ questionId }) => questionId === id)?.id;
    return kind === 'presentation'
      ? { ...both, questionText, secrecy, isOpen: true, isVoid: false, openedAt }
      : {
          ...both,
          id,
          text: questionText,
          type: 'TEXT',
          secrecy,
          isNamed: false,
          countsHeads: question.countsHeads,
          sealing: sealingOf(question),
          isVoid: false,
          isActive: true,
          hasVoted,
          roundId,
          openedAt,
        };
  }

  #votes(meetingId: string) {
    const meeting = this.#fake.meetings.find(({ id }) => id === meetingId);
    const round = this.#fake.rounds.find(({ questionId }) => questionId === meeting?.current);
    return this.#fake.votes.filter(({ roundId }) => roundId === round?.id);
  }

  #answer(call: FakeCall): Response | undefined | Promise<Response> {
    const key = `${call.method} ${call.path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}`;
    const [meetingId = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(call.path) ?? [];
    switch (key) {
      case 'POST /client/questions':
        return this.#addQuestion(call);
      case 'POST /client/meetings/:id/start':
        return this.#setStatus(meetingId, 'ACTIVE');
      case 'POST /client/meetings/:id/end':
        return this.#setStatus(meetingId, 'COMPLETED');
      case 'PUT /client/meetings/:id/current-question':
        return this.#putQuestion(call, meetingId);
      case 'POST /voting/meetings/:id/questions/:id/vote':
        return call.body.envelope ? this.#voteSealed(call, meetingId) : this.#vote(call, meetingId);
      case 'POST /client/meetings/:id/rounds/:id/count':
      case 'GET /client/meetings/:id/rounds/:id/result':
        return this.#result(call);
      case 'POST /client/meetings/:id/rounds/:id/declare':
        this.#sendToAll(meetingId, 'result_declared', () => ({ roundId: 'r', questionId: 'q' }));
        return HttpResponse.json({ status: 'DECLARED' });
      case 'GET /sse/meetings/:id/state':
        return HttpResponse.json(
          this.#whole({
            kind: call.person?.role === 'CLIENT' ? 'organizer' : 'voter',
            meetingId,
            voterId: call.person?.id ?? '',
          }),
        );
      default:
        return undefined;
    }
  }

  #addQuestion(call: FakeCall): Response {
    this.#fake.answer(call);
    const made = this.#fake.questions.at(-1);
    const optionsList = (made?.options ?? []).map((text) => ({ id: text, text, role: 'choice' }));
    const { ratingMax = null, maxChoices = null, secrecy = 'unshown', countsHeads = false } = call.body;
    const orderIndex = this.#fake.questions.filter(({ meetingId }) => meetingId === made?.meetingId).length;
    Object.assign(made ?? {}, { optionsList, ratingMax, maxChoices, secrecy, countsHeads, orderIndex });
    return HttpResponse.json(made as unknown as Fields, { status: 201 });
  }

  #setStatus(meetingId: string, status: string): Response {
    const meeting = this.#fake.meetings.find(({ id }) => id === meetingId);
    Object.assign(meeting ?? {}, { status });
    this.#step += 1;
    const change = { status, step: this.#step };
    this.#sendToAll(meetingId, 'meeting_status', (screen) =>
      screen.kind === 'presentation' ? this.#whole(screen) : change,
    );
    return HttpResponse.json(meeting as unknown as Fields);
  }

  #putQuestion(call: FakeCall, meetingId: string): Response {
    const answer = this.#fake.answer(call);
    this.#step += 1;
    const id = call.body.questionId;
    const type = id === null ? 'question_deactivated' : 'question_activated';
    this.#sendToAll(meetingId, type, (screen) => {
      const whole = this.#whole(screen);
      if (screen.kind === 'presentation') {
        return whole;
      }
      const { voteCount, registerSize } = whole;
      const shown = { ...(whole.currentQuestion as Fields), voteCount, registerSize, step: this.#step };
      return id === null ? { id: 'q', step: this.#step } : shown;
    });
    if (id === null) {
      this.#sendToAll(meetingId, 'meeting_update', (screen) => this.#whole(screen));
    }
    return answer;
  }

  /** The marks of an election are the numbers of its candidates. They are stored as their names. */
  #inWords(call: FakeCall): FakeCall {
    const question = this.#fake.questions.find(({ id }) => call.path.includes(id));
    if (question?.questionType !== 'ELECTION' || !Array.isArray(call.body.answers)) {
      return call;
    }
    const answers = call.body.answers.map((mark) => question.options[Number(mark) - 1]);
    return { ...call, body: { ...call.body, answers } };
  }

  #vote(marked: FakeCall, meetingId: string): Response {
    const call = this.#inWords(marked);
    const answer = this.storesTwice ? this.#voteAnew(call) : this.#fake.answer(call);
    const voteCount = this.#votes(meetingId).length;
    const registerSize = this.#fake.meetings.find(({ id }) => id === meetingId)?.participants.length ?? 0;
    this.#sendToAll(meetingId, 'vote_count', () => ({ voteCount, registerSize }));
    return answer;
  }

  /** Opens the envelope at once, unlike the server, and responds with its receipt. */
  async #voteSealed(call: FakeCall, meetingId: string): Promise<Response> {
    const envelope = fromBase64(call.body.envelope as string);
    const round = this.#fake.rounds.find(({ id }) => id === call.body.roundId);
    const text = await openEnvelope(envelope, URN, round?.id ?? '', call.person?.id ?? '');
    const question = this.#fake.questions.find(({ id }) => id === round?.questionId);
    const answers = (JSON.parse(text) as { options: number[] }).options.map(
      (option) => question?.options[option - 1],
    );
    const stored = this.#vote({ ...call, body: { answers, roundId: round?.id } }, meetingId);
    const { success, vote } = (await stored.json()) as { success: boolean; vote: Fields };
    const sealed = { ...vote, answers: [], receipt: await receiptCode(envelope) };
    return HttpResponse.json({ success, vote: sealed }, { status: stored.status });
  }

  #voteAnew({ body, path, person }: FakeCall): Response {
    const round = this.#fake.rounds.find(({ questionId, isOpen }) => isOpen && path.includes(questionId));
    const id = `vote${this.#fake.votes.length}`;
    const vote = {
      id,
      roundId: round?.id ?? '',
      voterId: person?.id ?? '',
      answers: body.answers as string[],
    };
    this.#fake.votes.push(vote);
    return HttpResponse.json({ success: true, vote }, { status: 201 });
  }

  /** Who has the most votes, in an election. */
  #elected({ id: roundId, questionId }: { id: string; questionId: string }): Fields | null {
    const question = this.#fake.questions.find(({ id }) => id === questionId);
    if (question?.questionType !== 'ELECTION') {
      return null;
    }
    const votes = this.#fake.votes.filter((vote) => vote.roundId === roundId);
    const heads = question.options.map(
      (name) => votes.filter(({ answers }) => answers.includes(name)).length,
    );
    return { elected: [{ candidate: heads.indexOf(Math.max(...heads)) + 1 }] };
  }

  #result({ path }: FakeCall): Response {
    const round = this.#fake.rounds.find(({ id }) => path.includes(id));
    if (!round) {
      return HttpResponse.json({}, { status: 404 });
    }
    const votes = this.#fake.votes
      .filter(({ roundId }) => roundId === round.id)
      .map(({ answers, voterId }) => ({
        answer: answers[0] ?? '',
        weight: this.#fake.endUsers.find(({ id }) => id === voterId)?.weight ?? 0,
      }));
    const weightOf = (answer: string) =>
      votes.filter((vote) => vote.answer === answer).reduce((sum, { weight }) => sum + weight, 0);
    const given = [...new Set(votes.map(({ answer }) => answer))];
    const distribution = given.map((answer) => ({
      value: Number(answer),
      heads: votes.filter((vote) => vote.answer === answer).length,
      weight: weightOf(answer),
    }));
    return HttpResponse.json(
      this.counted({
        ...this.#fake.result(round),
        numbers: { distribution },
        differentTexts: given.length,
        election: this.#elected(round),
        decision: { outcome: weightOf('Yes') > weightOf('No') ? 'accepted' : 'rejected' },
      }),
    );
  }
}

function sealingOf({ secrecy }: Fields): Fields | null {
  return secrecy === 'secret' ? { publicKey: toBase64(URN.publicKey), size: 64 } : null;
}

function claimsOf(token: string): { role?: string; sub?: string } {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return JSON.parse(atob(payload)) as { role?: string; sub?: string };
}

/** A fake server with streams, for each test of a file. */
export function withFakeMeetings(): {
  fake: () => FakePlenum;
  meetings: () => FakeMeetings;
  run: (test: Diagnostic) => Promise<ResultEntry>;
} {
  const { fake, run } = withFakePlenum();
  const original = globalThis.EventSource;
  let meetings: FakeMeetings;
  beforeEach(() => {
    meetings = new FakeMeetings(fake());
    FakeEventSource.all = [];
    globalThis.EventSource = class extends FakeEventSource {
      constructor(url: string) {
        super(url);
        meetings.connect(this);
      }
    } as unknown as typeof EventSource;
  });
  afterEach(() => {
    globalThis.EventSource = original;
  });
  return { fake, meetings: () => meetings, run: (test) => run(test) };
}
