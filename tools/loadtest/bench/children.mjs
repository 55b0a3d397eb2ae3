import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';

/** Sixty-four clients print the same error. */
const LINES_OF_A_COMPLAINT = 5;

/** Every process that was started and has not ended yet. */
const running = new Set();
let isAllEnding = false;

/** Starts a process that ends with this one, even if this one is killed. */
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

/** Ends all running processes in order, and prevents new ones. */
export async function endAll() {
  isAllEnding = true;
  await Promise.all([...running].map(end));
}

/** Whether everything is being ended, which then explains every failure. */
export function isEnding() {
  return isAllEnding;
}

/** Runs a program to its end, and returns its standard output. `onLine` receives each line of standard error. */
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
