import type { AssemblyFigures, Pace } from '../../shared/diagnostics/assembly/measurements';
import type { Timing } from '../../shared/diagnostics/run/statistics';
import { formatElapsed, formatNumber, PERCENT_SIGN } from '../../shared/format';
import classes from './readiness.module.css';
import { delayWords } from './readiness-text';

const SECOND_MS = 1_000;

/** The measurements of a simulated run. */
export function AssemblyTable({ figures }: { figures: AssemblyFigures }) {
  const { voters, register, forecast } = figures;
  const problems = [...figures.differences, ...figures.serverErrors, ...figures.failures];
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section className={classes.scroll} aria-label="Measured figures" tabIndex={0}>
        <table className={classes.table} aria-label="Measured">
          <thead>
            <tr>
              <th scope="col">{formatNumber(voters)} voters</th>
              <th scope="col">Median</th>
              <th scope="col">95{PERCENT_SIGN}</th>
              <th scope="col">Longest</th>
              <th scope="col">Per second</th>
            </tr>
          </thead>
          <tbody>
            <PaceRow label="Sign in" pace={figures.signIn} />
            <PaceRow label="Open the meeting" pace={figures.load} />
            <PaceRow label="Vote" pace={figures.vote} />
            <TimingRow label="Question on the screen" timing={figures.event} />
            <TimingRow label="Full count on the screen" timing={figures.count} />
          </tbody>
        </table>
      </section>
      <table className={classes.table} aria-label="Forecast">
        <tbody>
          <Fact
            label="Votes counted"
            value={`${formatNumber(figures.votesCounted)} of ${formatNumber(figures.votesSent)} sent`}
          />
          <Fact
            label={`All ${formatNumber(register)} signed in`}
            value={afterWords(forecast.signInSeconds)}
          />
          <Fact label={`All ${formatNumber(register)} voted`} value={afterWords(forecast.voteSeconds)} />
          <Fact label="Network, there and back" value={timeWords(figures.roundTripMs)} />
          <Fact label="Database, one statement" value={timeWords(figures.databaseMs)} />
        </tbody>
      </table>
      <p className={classes.quiet}>
        Two screens stand for the hall. This does not detect a proxy that limits connections. The rehearsal
        does.
      </p>
      {problems.length > 0 ? (
        <ul className={classes.advice} aria-label="What went wrong">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

function PaceRow({ label, pace }: { label: string; pace: Pace }) {
  return (
    <tr>
      <th scope="row">{pace.failed > 0 ? `${label} (${formatNumber(pace.failed)} failed)` : label}</th>
      <Times timing={pace} />
      <td>{formatNumber(pace.perSecond)}</td>
    </tr>
  );
}

function TimingRow({ label, timing }: { label: string; timing: Timing }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <Times timing={timing} />
      <td>–</td>
    </tr>
  );
}

function Times({ timing: { calls, p50, p95, max } }: { timing: Timing }) {
  return [p50, p95, max].map((time, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: always these three.
    <td key={index}>{calls > 0 ? timeWords(time) : '–'}</td>
  ));
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{value}</td>
    </tr>
  );
}

/** "0.2 ms", "343 ms", "2.2 s" */
function timeWords(value: number): string {
  return value < SECOND_MS ? `${formatNumber(Math.round(value * 10) / 10)} ms` : delayWords(value);
}

/** "after 2:10 min" */
function afterWords(seconds: number | null): string {
  if (seconds === null) {
    return 'not known';
  }
  return seconds < 60 ? `after ${Math.ceil(seconds)} s` : `after ${formatElapsed(seconds)} min`;
}
