import type { components } from '../../../../api/schema';
import { type ProbeReport, probedFromSandbox } from '../../../../shared/diagnostics/parts/sandboxed-probe';
import type { Answer } from '../../../../shared/diagnostics/run/answer';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, warning } from '../../../../shared/diagnostics/run/finding';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import { bodyOf } from '../../../../shared/diagnostics/run/unexpected';

type CorsTest = components['schemas']['CorsTestView'];
type OriginProbe = components['schemas']['OriginProbe'];

const STEPS = 3;
/** Values of Access-Control-Allow-Origin that open a response to everybody. */
const FOR_EVERYBODY = ['*', 'null'];

export const corsConfiguration: Diagnostic = {
  name: 'CORS Configuration',
  about: 'Tests which origins may read the API: allowed ones, its own, foreign ones and null.',
  run: tryOrigins,
};

async function tryOrigins(run: Run): Promise<Finding> {
  const steps = new Steps(run, STEPS);
  const tested = await steps.step('Testing origins on the server itself', () => run.own.get('/test/cors'));
  const server = bodyOf<CorsTest>(tested, 200);
  const health = await steps.step('Checking the answers that reach this browser', async () => {
    const answer = await run.own.as(null).get('/health');
    bodyOf(answer, 200);
    return answer;
  });
  const sandbox = await steps.step('Reading the API from a page without an origin', () =>
    probedFromSandbox(run.signal),
  );
  return findingOf(server, allowedOn(health) ?? allowedOn(tested), sandbox);
}

/** The other origins that may read an answer to this page. The server names none for a page of its own origin. */
function allowedOn(answer: Answer): string | null {
  const origin = answer.headers.get('Access-Control-Allow-Origin');
  return origin === window.location.origin ? null : origin;
}

function findingOf(server: CorsTest, allowOrigin: string | null, sandbox: ProbeReport | null): Finding {
  const { probes } = server.details;
  const details = {
    server: { message: server.message, probes },
    allowOriginInThisBrowser: allowOrigin,
    sandbox,
  };
  const wrong = probes.find(({ isAllowed, expected }) => isAllowed !== expected);
  if (wrong) {
    return failure(`${sentenceOf(wrong)} Check PLENUM_CORS_ORIGINS.`, details);
  }
  if (!server.isValid) {
    return failure(server.message, details);
  }
  const readable = sandbox ? Object.entries(sandbox.readable).filter(([, isReadable]) => isReadable) : [];
  if (readable.length > 0) {
    return failure(
      'A page of the origin null, which any foreign page can take, can read the API in this browser. The server does not allow that. Check for a proxy in front of it that adds Access-Control-Allow-Origin.',
      details,
    );
  }
  if (allowOrigin !== null && FOR_EVERYBODY.includes(allowOrigin)) {
    return failure(
      `Answers reach this browser with Access-Control-Allow-Origin: ${allowOrigin}, so that pages of foreign origins can read them. Check for a proxy in front of the server that adds it.`,
      details,
    );
  }
  if (allowOrigin !== null) {
    return warning(
      `Answers reach this browser with Access-Control-Allow-Origin: ${allowOrigin}, so that pages of that origin can read them. The server does not send that header to pages of its own origin. Check for a proxy in front of it that adds it. List origins that may read the API in PLENUM_CORS_ORIGINS only.`,
      details,
    );
  }
  const missing = ['foreign', 'null'].filter((kind) => !probes.some((probe) => probe.kind === kind));
  if (missing.length > 0) {
    return warning(
      `The server did not try an origin of the kind ${missing.join(' and ')}, so this test cannot show whether they are refused.`,
      details,
    );
  }
  if (sandbox?.origin !== 'null' || !sandbox.arrives || sandbox.blocked.length > 0) {
    return warning(
      `The server itself answers origins correctly. The test could not show whether a proxy in front of it lets foreign pages read more: ${doubtOf(sandbox)}.`,
      details,
    );
  }
  return success(
    `${countOf(probes, 'allowed')} allowed, ${countOf(probes, 'own')} own, ${countOf(probes, 'foreign')} foreign and ${countOf(probes, 'null')} null origins were answered correctly, and a page without an origin can read nothing in this browser.`,
    details,
  );
}

function sentenceOf({ origin, kind, isAllowed, problems }: OriginProbe): string {
  const pages = kind === 'null' ? 'Pages of the origin null' : `Pages of the ${kind} origin ${origin}`;
  if (isAllowed) {
    return `${pages} can read the API, but must not.`;
  }
  return [`${pages} cannot use the whole API, but should.`, ...problems].join(' ');
}

function doubtOf(sandbox: ProbeReport | null): string {
  if (!sandbox) {
    return 'origin-probe.html did not load in a frame. A proxy may forbid frames or change the answer';
  }
  if (sandbox.origin !== 'null') {
    return 'this browser does not sandbox frames';
  }
  return sandbox.blocked.length > 0
    ? `a content security policy blocked it (${sandbox.blocked[0]})`
    : 'its requests did not arrive';
}

function countOf(probes: OriginProbe[], kind: OriginProbe['kind']): number {
  return probes.filter((probe) => probe.kind === kind).length;
}
