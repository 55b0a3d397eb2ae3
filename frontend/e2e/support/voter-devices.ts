import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { CutProxy } from './cut-proxy';
import { type Caller, signInThroughApi } from './organization';
import type { Setting } from './setting';
import { test as base } from './test';
import { joinMeeting, signInAsVoter } from './voter';

/** A device in the hall, with its own network connection. */
export interface Device {
  page: Page;
  network: CutProxy;
}

export type OpenDevice = (
  viewport: { width: number; height: number },
  options?: BrowserContextOptions,
) => Promise<Device>;

interface DeviceFixtures {
  openDevice: OpenDevice;
}

export const test = base.extend<DeviceFixtures>({
  openDevice: async ({ openAs, server }, use) => {
    const networks: CutProxy[] = [];
    await use(async (viewport, options) => {
      const network = await CutProxy.start(server.url);
      networks.push(network);
      return { page: await openAs(viewport, { ...options, baseURL: network.url }), network };
    });
    await Promise.all(networks.map((network) => network.stop()));
  },
});

/** Signs a voter in and opens the meeting. */
export async function joinOnDevice({ page }: Device, setting: Setting, username: string): Promise<void> {
  const voter = setting.voters.find((candidate) => candidate.username === username);
  await page.goto(`/participant/login/${setting.clientCode}`);
  await signInAsVoter(page, username, voter?.password ?? '');
  await joinMeeting(page, setting.meetingTitle);
}

interface Round {
  id: string;
  questionId: string;
  endedAt: string | null;
  voteCount: number;
}

interface Result {
  options: { text: string; heads: number }[];
  numbers: { distribution: { value: number; heads: number }[] } | null;
}

interface Answers {
  data: { text: string; heads: number }[];
}

/** The votes on the server, read through the API and not from screens. */
export class BallotBox {
  readonly #caller: Caller;
  readonly #meetingPath: string;

  private constructor(caller: Caller, meetingPath: string) {
    this.#caller = caller;
    this.#meetingPath = meetingPath;
  }

  static async of(serverUrl: string, { organizer, meetingId }: Setting): Promise<BallotBox> {
    const caller = await signInThroughApi(serverUrl, organizer);
    return new BallotBox(caller, `/api/client/meetings/${meetingId}`);
  }

  async hasVoteOf(questionId: string, username: string): Promise<boolean> {
    const round = await this.#roundOf(questionId);
    const { data } = await this.#caller.get(
      `${this.#meetingPath}/rounds/${round?.id}/register?search=${username}`,
    );
    return (data as { username: string; hasVoted: boolean }[]).some(
      (voter) => voter.username === username && voter.hasVoted,
    );
  }

  async isOver(questionId: string): Promise<boolean> {
    return (await this.#roundOf(questionId))?.endedAt != null;
  }

  /** Sets a countdown on the open round. */
  async closeIn(seconds: number): Promise<void> {
    await this.#caller.put(`${this.#meetingPath}/countdown`, { seconds });
  }

  /** The number of votes for each answer, without zeros. */
  async tallyOf(questionId: string): Promise<Record<string, number>> {
    const round = await this.#roundOf(questionId);
    const path = `${this.#meetingPath}/rounds/${round?.id}`;
    const { options, numbers } = (await this.#caller.post(`${path}/count`, {})) as unknown as Result;
    const { data: texts } = (await this.#caller.get(`${path}/answers`)) as unknown as Answers;
    const counts = [
      ...options.map(({ text, heads }) => [text, heads] as const),
      ...(numbers?.distribution ?? []).map(({ value, heads }) => [String(value), heads] as const),
      ...texts.map(({ text, heads }) => [text, heads] as const),
    ];
    return Object.fromEntries(counts.filter(([, heads]) => heads > 0));
  }

  /** The question's only round: no failure may open a second one. */
  async #roundOf(questionId: string): Promise<Round | undefined> {
    const rounds = (await this.#caller.get(`${this.#meetingPath}/rounds`)) as unknown as Round[];
    const ofQuestion = rounds.filter((round) => round.questionId === questionId);
    expect(ofQuestion.length, 'rounds of the question').toBeLessThanOrEqual(1);
    return ofQuestion[0];
  }
}
