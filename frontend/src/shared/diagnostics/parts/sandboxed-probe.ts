import { throwIfAborted } from '../../../api/abort';
import { basePath } from '../../../api/base-path';
import { flag, listOf, object, oneOf, type Shaped, shaped, text } from '../../shape';

/** A page that loads at all answers much sooner. */
const TIMEOUT_MS = 15_000;

const report = object({
  type: oneOf('origin-probe'),
  /** "null" in a sandbox. */
  origin: text,
  /** Whether requests arrive when the page does not read the answer. */
  arrives: flag,
  /** Whether the page could read the answers. */
  readable: object({ plain: flag, withToken: flag, withCookies: flag }),
  /** The requests that the page's own content security policy blocked. They tell nothing about the server. */
  blocked: listOf(text),
});

export type ProbeReport = Shaped<typeof report>;

/**
 * Reports the parts of the API that a page without an origin can read. A browser checks this through any proxy in front
 * of the server. Null if that page did not report. Rejects when the test is stopped.
 */
export async function probedFromSandbox(signal: AbortSignal): Promise<ProbeReport | null> {
  throwIfAborted(signal);
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'Origin probe';
  frame.hidden = true;
  frame.src = `${window.location.origin}${basePath}/origin-probe.html`;
  const listening = new AbortController();
  try {
    return await new Promise<ProbeReport | null>((resolve, reject) => {
      const until = { signal: listening.signal };
      window.addEventListener(
        'message',
        ({ source, data }) => {
          const received = source === frame.contentWindow ? shaped(report, data) : null;
          if (received) {
            resolve(received);
          }
        },
        until,
      );
      AbortSignal.timeout(TIMEOUT_MS).addEventListener('abort', () => resolve(null), until);
      signal.addEventListener('abort', () => reject(signal.reason), until);
      document.body.append(frame);
    });
  } finally {
    listening.abort();
    frame.remove();
  }
}
