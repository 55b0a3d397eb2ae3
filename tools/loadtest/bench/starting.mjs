import { figure, outcome } from './outcome.mjs';
import { onServer } from './server.mjs';

/** Measured by starting a server, and so without one; the first makes the database that the second finds. */
export const STARTS = [
  { name: 'start.cold', variant: 'cold' },
  { name: 'start.warm', variant: 'warm' },
];

/** From before the process is started to the first answer that it is ready. */
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
