import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';

/** Sixty-four clients complain of the same. */
const LINES_OF_A_COMPLAINT = 5;

/** Every process that was started and not yet ended. */
const running = new Set();
let isAllEnding = false;

/** Starts a process that does not outlive this one, however this one ends. */
export function start(program, args, options = {}) {
  if (isAllEnding) {
    throw new Error('Everything is being ended.');
  }
  const child = spawn(program, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Ends a process in order and waits for its end. */
export async function end(child) {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}

/** Ends, in order, whatever is still running, and lets nothing new begin. */
export async function endAll() {
  isAllEnding = true;
  await Promise.all([...running].map(end));
}

/** Whether everything is being ended, so that whatever fails does so for that. */
export function isEnding() {
  return isAllEnding;
}

/** Runs a program to its end, and returns what it wrote to standard output. `onLine` is told each line of the other. */
export async function run(program, args, options = {}, onLine = () => {}) {
  const child = start(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  createInterface({ input: child.stderr }).on('line', (line) => onLine(line, child));
  const output = collect(child.stdout);
  const complaints = collect(child.stderr);
  const [code] = await once(child, 'close');
  if (code !== 0) {
    const last = complaints.text().trim().split('\n').slice(-LINES_OF_A_COMPLAINT).join('\n');
    throw new Error(`${basename(program)} ${args[0] ?? ''} ended with ${code}:\n${last}`);
  }
  return output.text();
}

function collect(stream) {
  const chunks = [];
  stream?.on('data', (chunk) => chunks.push(chunk));
  return { text: () => Buffer.concat(chunks).toString('utf8') };
}
