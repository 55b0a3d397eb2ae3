import { figure, outcome } from './outcome.mjs';
import { onServer } from './server.mjs';

/** Measured by starting a server, and so without a running one. The first creates the database of the second. */
export const STARTS = [
  { name: 'start.cold', variant: 'cold' },
  { name: 'start.warm', variant: 'warm' },
];

/** The time from the start of the process to its first response that it is ready. */
export async function timeToFirstAnswer(binary, home, variant) {
  const begun = performance.now();
  return onServer(binary, home, async (server) => {
    const answer = await fetch(`${server.url}/health/ready`);
    const seconds = (performance.now() - begun) / 1000;
    if (!answer.ok) {
      throw new Error(`The server has started, and answers ${answer.status}.`);
    }
    return outcome('start', variant, {}, [figure('first_answer', 's', seconds)]);
  });
}
