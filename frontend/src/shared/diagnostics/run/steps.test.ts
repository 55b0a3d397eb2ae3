import { expect, it } from 'vitest';
import type { Answer } from './answer';
import type { Run } from './diagnostic';
import { StepFailed, Steps } from './steps';
import { Unexpected } from './unexpected';

function setUp() {
  const announced: unknown[] = [];
  const stopping = new AbortController();
  const run = {
    signal: stopping.signal,
    progress: (...progress: unknown[]) => announced.push(progress),
  } as unknown as Run;
  return { steps: new Steps(run, 2), announced, stopping };
}

function answer(status: number): Answer {
  return { call: 'GET /it', status, headers: new Headers(), body: undefined, ms: 1 };
}

it('announces each step before it starts, and reports it with the statuses of its answers', async () => {
  const { steps, announced } = setUp();
  expect(await steps.step('Count', () => 3)).toBe(3);
  await steps.step('Ask', async () => answer(200));
  await steps.step('Ask twice', async () => [answer(404), answer(409), answer(404)]);
  expect(announced).toEqual([
    [0, 2, 'Count'],
    [1, 2, 'Ask'],
    // More steps than announced: the progress bar stays within its bounds.
    [2, 3, 'Ask twice'],
  ]);
  expect(steps.reports.map(({ step, status, result }) => [step, status, result])).toEqual([
    ['Count', undefined, 'ok'],
    ['Ask', '200', 'ok'],
    ['Ask twice', '404, 409', 'ok'],
  ]);
});

it('ends with the step that fails, and keeps the steps up to there', async () => {
  const { steps } = setUp();
  await steps.step('Ask', async () => answer(200));
  const failing = steps.step('Ask again', () => {
    throw new Unexpected('It answered 500', answer(500));
  });
  const error = (await failing.catch((reason: unknown) => reason)) as StepFailed;
  expect(error).toBeInstanceOf(StepFailed);
  expect(error.message).toBe('Ask again: It answered 500');
  expect(error.answer?.status).toBe(500);
  expect(error.steps.map(({ step, status, result }) => [step, status, result])).toEqual([
    ['Ask', '200', 'ok'],
    ['Ask again', '500', 'failed'],
  ]);
});

it('is no failure when the test was stopped', async () => {
  const { steps, stopping } = setUp();
  const stopped = steps.step('Wait', async () => {
    stopping.abort();
    throw stopping.signal.reason;
  });
  await expect(stopped).rejects.toBe(stopping.signal.reason);
  expect(steps.reports).toMatchObject([{ step: 'Wait', result: 'stopped' }]);
  await expect(steps.step('Go on', () => 1)).rejects.toBe(stopping.signal.reason);
});
