import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serviceWorker, workerScript } from './plugin.ts';

const SCOPE = 'https://vote.test/plenum/';
const BUILD = { entry: 'assets/index-a1.js', files: ['assets/index-a1.js'], screens: ['', 'voting'] };
const pageOf = (entry: string) => `<html><script src="./${entry}"></script></html>`;

type Listener = (event: object) => void;
type Answer = () => Response | Promise<Response>;

/** The part of a browser that the worker uses. */
function startWorker(answers: Record<string, Answer>) {
  const stores = new Map<string, Map<string, Response>>();
  const listeners = new Map<string, Listener>();
  const asked: string[] = [];
  const pending: Promise<unknown>[] = [];
  const fetched = async (target: string | { url: string }) => {
    const url = typeof target === 'string' ? target : target.url;
    asked.push(url);
    const answer = answers[url];
    if (!answer) {
      throw new TypeError('no network');
    }
    return answer();
  };
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return {
      put: async (url: string, response: Response) => void store.set(url, response),
      addAll: async (urls: string[]) => {
        for (const url of urls) {
          const response = await fetched(url);
          if (!response.ok) {
            throw new TypeError(url);
          }
          store.set(url, response);
        }
      },
    };
  };
  const caches = {
    open,
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
    match: async (url: string, { cacheName }: { cacheName: string }) =>
      stores.get(cacheName)?.get(url)?.clone(),
  };
  const self = {
    registration: { scope: SCOPE, unregister: vi.fn(async () => true) },
    location: { href: `${SCOPE}service-worker.js` },
    clients: { claim: vi.fn(async () => undefined) },
    skipWaiting: vi.fn(async () => undefined),
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  };
  new Function('self', 'caches', 'fetch', workerScript(BUILD))(self, caches, fetched);

  const waitUntil = (task: Promise<unknown>) => void pending.push(task);
  return {
    self,
    asked,
    stores,
    answers,
    emit: async (type: 'install' | 'activate') => {
      const tasks: Promise<unknown>[] = [];
      listeners.get(type)?.({ waitUntil: (task: Promise<unknown>) => tasks.push(task) });
      await Promise.all(tasks);
    },
    /** The worker's answer; undefined if it leaves the request to the browser. */
    request: async (path: string, request: object = {}): Promise<Response | undefined> => {
      let answer: Promise<Response> | undefined;
      const url = new URL(path, SCOPE).href;
      listeners.get('fetch')?.({
        request: { url, method: 'GET', mode: 'cors', destination: '', ...request },
        respondWith: (given: Promise<Response>) => {
          answer = given;
        },
        waitUntil,
      });
      return answer;
    },
    settle: () => Promise.all(pending),
  };
}

const NAVIGATION = { mode: 'navigate', destination: 'document' };

/** A server with this build. */
function serving(page = pageOf(BUILD.entry)): Record<string, Answer> {
  return {
    [SCOPE]: () => new Response(page),
    [`${SCOPE}service-worker.js`]: () => new Response('worker'),
    [`${SCOPE}assets/index-a1.js`]: () => new Response('app'),
    [`${SCOPE}voting`]: () => new Response('the page of today'),
  };
}

async function installed() {
  const worker = startWorker(serving());
  await worker.emit('install');
  await worker.emit('activate');
  return worker;
}

function goOffline({ answers }: { answers: Record<string, Answer> }) {
  for (const url of Object.keys(answers)) {
    delete answers[url];
  }
}

afterEach(() => vi.useRealTimers());

describe('the installed worker', () => {
  it('answers a reload without a network with the page and the files of its build', async () => {
    const worker = await installed();
    goOffline(worker);
    expect(await (await worker.request('voting/meeting/m1', NAVIGATION))?.text()).toBe(pageOf(BUILD.entry));
    expect(await (await worker.request('assets/index-a1.js'))?.text()).toBe('app');
  });

  it('shows the page of the network if there is one', async () => {
    const worker = await installed();
    expect(await (await worker.request('voting', NAVIGATION))?.text()).toBe('the page of today');
  });

  it('does not wait long for a network that does not answer', async () => {
    const worker = await installed();
    vi.useFakeTimers();
    worker.answers[`${SCOPE}voting`] = () => new Promise<Response>(() => undefined);
    const answer = worker.request('voting', NAVIGATION);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await (await answer)?.text()).toBe(pageOf(BUILD.entry));
  });

  it('shows its page while a proxy has no server behind it, and every other answer of the server', async () => {
    const worker = await installed();
    worker.answers[`${SCOPE}voting`] = () => new Response('bad gateway', { status: 502 });
    expect(await (await worker.request('voting', NAVIGATION))?.text()).toBe(pageOf(BUILD.entry));
    worker.answers[`${SCOPE}voting`] = () => new Response('broken', { status: 500 });
    expect((await worker.request('voting', NAVIGATION))?.status).toBe(500);
  });

  it.each([
    ['the API', 'api/voting/meetings', {}],
    ['an opened answer of the API', 'api/docs', NAVIGATION],
    ['a stream', 'api/sse/meetings/m1/stream?token=secret', {}],
    ['a file', 'origin-probe.html', NAVIGATION],
    ['a frame', 'voting', { mode: 'navigate', destination: 'iframe' }],
    ['another application on the host', '/wiki/page', NAVIGATION],
    ['a request that changes something', 'assets/index-a1.js', { method: 'POST' }],
  ])('leaves %s to the browser', async (_, path, request) => {
    const worker = await installed();
    expect(await worker.request(path, request)).toBeUndefined();
  });

  it('keeps further files of the build, and no page by its address', async () => {
    const worker = await installed();
    worker.answers[`${SCOPE}assets/portal-b2.js`] = () => new Response('portal');
    worker.answers[`${SCOPE}assets/gone-c3.js`] = () => new Response('no', { status: 404 });
    await worker.request('assets/portal-b2.js');
    await worker.request('assets/gone-c3.js');
    worker.answers[`${SCOPE}voting?link=secret`] = () => new Response('a page');
    await worker.request('voting?link=secret', NAVIGATION);
    await worker.settle();
    goOffline(worker);
    expect(await (await worker.request('assets/portal-b2.js'))?.text()).toBe('portal');
    const kept = [...worker.stores.values()].flatMap((store) => [...store.keys()]);
    expect(kept.sort()).toEqual([SCOPE, `${SCOPE}assets/index-a1.js`, `${SCOPE}assets/portal-b2.js`].sort());
  });
});

describe('a new build', () => {
  it('takes over at once and deletes the caches of the old one, and no others', async () => {
    const worker = startWorker(serving());
    worker.stores.set('plenum /plenum/ 0ld', new Map());
    worker.stores.set('plenum / 0ld', new Map());
    worker.stores.set('wiki', new Map());
    await worker.emit('install');
    await worker.emit('activate');
    expect(worker.self.skipWaiting).toHaveBeenCalled();
    expect(worker.self.clients.claim).toHaveBeenCalled();
    const names = [...worker.stores.keys()];
    expect(names).toHaveLength(3);
    expect(names).toEqual(expect.arrayContaining(['plenum / 0ld', 'wiki']));
  });

  it('is not installed with the page of another one', async () => {
    const worker = startWorker(serving(pageOf('assets/index-z9.js')));
    await expect(worker.emit('install')).rejects.toThrow('another build');
    expect(worker.self.skipWaiting).not.toHaveBeenCalled();
  });

  it('is not installed if one of its files is missing', async () => {
    const worker = startWorker({
      ...serving(),
      [`${SCOPE}assets/index-a1.js`]: () => new Response('no', { status: 404 }),
    });
    await expect(worker.emit('install')).rejects.toThrow('assets/index-a1.js');
  });

  it('has another version, and the same one has not', () => {
    expect(workerScript(BUILD)).toBe(workerScript({ ...BUILD }));
    expect(workerScript(BUILD)).not.toBe(workerScript({ ...BUILD, files: ['assets/index-a2.js'] }));
  });
});

describe('the check after a page', () => {
  it('ends the worker if the server has none any more', async () => {
    const worker = await installed();
    worker.answers[`${SCOPE}service-worker.js`] = () => new Response('', { status: 404 });
    await worker.request('voting', NAVIGATION);
    await worker.settle();
    expect(worker.self.registration.unregister).toHaveBeenCalled();
    expect([...worker.stores.keys()]).toEqual([]);
    expect(await worker.request('voting', NAVIGATION)).toBeUndefined();
  });

  it('renews the page with the settings of the server, once', async () => {
    const worker = await installed();
    const page = `${pageOf(BUILD.entry)}<!-- another public address -->`;
    worker.answers[SCOPE] = () => new Response(page);
    await worker.request('voting', NAVIGATION);
    await worker.settle();
    await worker.request('voting', NAVIGATION);
    await worker.settle();
    expect(worker.asked.filter((url) => url.endsWith('service-worker.js'))).toHaveLength(1);
    goOffline(worker);
    expect(await (await worker.request('voting', NAVIGATION))?.text()).toBe(page);
  });

  it('keeps the page of its own build if the server has another one', async () => {
    const worker = await installed();
    worker.answers[SCOPE] = () => new Response(pageOf('assets/index-z9.js'));
    await worker.request('voting', NAVIGATION);
    await worker.settle();
    goOffline(worker);
    expect(await (await worker.request('voting', NAVIGATION))?.text()).toBe(pageOf(BUILD.entry));
  });
});

describe('the plugin', () => {
  async function built(modules: string[], assets: RegExp): Promise<string> {
    const root = await mkdtemp(join(tmpdir(), 'plenum-service-worker-'));
    try {
      await writeFile(join(root, 'index.html'), '<script type="module" src="./main.js"></script>');
      await writeFile(join(root, 'main.js'), "import('./voter.js'); import('./portal.js');");
      await writeFile(join(root, 'voter.js'), "import './voter.css'; console.log('voter');");
      await writeFile(join(root, 'portal.js'), "console.log('portal');");
      await writeFile(join(root, 'voter.css'), '.a { color: red }');
      await build({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [serviceWorker({ modules, assets, addresses: ['/voting', '/admin/login', '/admin'] })],
      });
      return await readFile(join(root, 'dist/service-worker.js'), 'utf8');
    } finally {
      await rm(root, { recursive: true });
    }
  }

  it('lists the page’s files and those of the modules, and the screens', async () => {
    const list = /const \{[^}]+\} = (\{.*\});/.exec(await built(['voter.js'], /voter-.*\.css$/))?.[1];
    const { files, entry, screens } = JSON.parse(list ?? '{}');
    expect(files).toContain(entry);
    expect(files.filter((file: string) => /^assets\/voter-.*\.(js|css)$/.test(file))).toHaveLength(2);
    expect(files.filter((file: string) => file.includes('portal'))).toEqual([]);
    expect(screens).toEqual(['', 'voting', 'admin']);
  });

  it('fails the build if a module is nowhere in it', async () => {
    await expect(built(['moved.js'], /\.css$/)).rejects.toThrow('in no file of the build');
  });
});
