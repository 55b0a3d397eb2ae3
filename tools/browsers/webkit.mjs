import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const DRIVER = [process.env.WEBKIT_DRIVER, '/usr/bin/WebKitWebDriver'].find((path) => path && existsSync(path));
const XVFB = '/usr/bin/Xvfb';
const START_MS = 20_000;

/** Debian's WebKitGTK, over WebDriver, on a virtual screen. Null if driver or screen are missing. */
export async function startWebkit() {
  if (!DRIVER || !(process.env.DISPLAY || existsSync(XVFB))) {
    return null;
  }
  const display = process.env.DISPLAY ? null : await startDisplay();
  const environment = { ...process.env, ...(display ? { DISPLAY: display.name } : {}) };
  const screens = [];
  const open = async (size) => {
    const screen = await openScreen(size, environment);
    screens.push(screen);
    return screen;
  };
  let version = '';
  return {
    name: 'WebKit',
    get version() {
      return version;
    },
    open: async (size) => {
      const screen = await open(size);
      version = screen.version;
      return screen;
    },
    stop: async () => {
      await Promise.all(screens.map((screen) => screen.close()));
      await display?.stop();
    },
  };
}

/** A driver has one browser at a time, so each person has a separate driver. */
async function openScreen({ width, height }, env) {
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`], { stdio: 'ignore', env });
  let session = '';
  const ask = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/session${session}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
    });
    const { value } = await answer.json();
    if (!answer.ok) {
      throw new Error(`WebKit, ${method} ${path}: ${value?.message || value?.error}`);
    }
    return value;
  };
  const close = async () => {
    if (driver.exitCode === null && driver.signalCode === null) {
      await ask('DELETE', '').catch(() => undefined);
      const exited = once(driver, 'exit');
      driver.kill('SIGTERM');
      await exited;
    }
  };
  try {
    const { sessionId, capabilities } = await patiently(() => ask('POST', '', { capabilities: {} }));
    session = `/${sessionId}`;
    await ask('POST', '/window/rect', { width, height });
    // The window has a frame, so its size is corrected for the page.
    const inner = await ask('POST', '/execute/sync', { script: 'return [innerWidth, innerHeight]', args: [] });
    await ask('POST', '/window/rect', { width: 2 * width - inner[0], height: 2 * height - inner[1] });
    return {
      version: capabilities.browserVersion,
      goto: (url) => ask('POST', '/url', { url }),
      evaluate: (expression) => ask('POST', '/execute/sync', { script: `return ${expression}`, args: [] }),
      clickAt: ({ x, y }) => ask('POST', '/actions', { actions: [click(x, y)] }),
      type: (text) => ask('POST', '/actions', { actions: [keys(text)] }),
      picture: async (path) => writeFile(path, Buffer.from(await ask('GET', '/screenshot'), 'base64')),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function click(x, y) {
  return {
    type: 'pointer',
    id: 'mouse',
    actions: [
      { type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  };
}

function keys(text) {
  const actions = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
  return { type: 'key', id: 'keyboard', actions };
}

/** Waits until the driver listens, which it does not report. */
async function patiently(start) {
  const end = Date.now() + START_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED' || Date.now() > end) {
        throw error;
      }
      await sleep(50);
    }
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Xvfb writes the number of its display to file descriptor 3. */
async function startDisplay() {
  const xvfb = spawn(XVFB, ['-displayfd', '3', '-screen', '0', '2200x1400x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await Promise.race([
    once(xvfb.stdio[3], 'data'),
    once(xvfb, 'exit').then(() => {
      throw new Error('Xvfb ended while starting.');
    }),
  ]);
  return {
    name: `:${String(number).trim()}`,
    stop: async () => {
      const exited = once(xvfb, 'exit');
      xvfb.kill('SIGTERM');
      await exited;
    },
  };
}
