import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useAwake } from './use-wake-lock';

const play = vi.fn(async () => undefined);
const track = {} as MediaStreamTrack;
const stream = { getTracks: () => [track] };

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('MediaStream', class {});
  vi.stubGlobal(
    'AudioContext',
    class {
      createMediaStreamDestination = () => ({ stream });
      close = async () => undefined;
    },
  );
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(play);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  HTMLCanvasElement.prototype.captureStream = () => stream as unknown as MediaStream;
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'wakeLock');
  Reflect.deleteProperty(HTMLCanvasElement.prototype, 'captureStream');
});

function offerLock(request: () => Promise<unknown>): void {
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
}

const films = () => document.querySelectorAll('video[data-keeps-awake]');

test('a browser with a lock plays no film', async () => {
  const release = vi.fn(async () => undefined);
  const request = vi.fn(async () => ({ release }));
  offerLock(request);
  const { result, unmount } = renderHook(() => useAwake());
  await waitFor(() => expect(request).toHaveBeenCalledWith('screen'));
  expect(films()).toHaveLength(0);
  expect(result.current).toBe(true);
  unmount();
  await waitFor(() => expect(release).toHaveBeenCalled());
});

test('without a lock a film is played, as large as the page, muted, and gone with the page', async () => {
  const { result, unmount } = renderHook(() => useAwake());
  await waitFor(() => expect(play).toHaveBeenCalled());
  expect(films()).toHaveLength(1);
  const film = films()[0] as HTMLVideoElement;
  expect(film.muted).toBe(true);
  expect(film).toHaveStyle({ position: 'fixed', width: '100%', height: '100%', opacity: '0' });
  expect(result.current).toBe(true);
  unmount();
  await waitFor(() => expect(films()).toHaveLength(0));
});

test('a lock that is refused is replaced by the film', async () => {
  offerLock(() => Promise.reject(new Error('low battery')));
  const { unmount } = renderHook(() => useAwake());
  await waitFor(() => expect(play).toHaveBeenCalled());
  unmount();
});

test('where neither works, the screen says so', async () => {
  play.mockRejectedValueOnce(new Error('not allowed'));
  const { result } = renderHook(() => useAwake());
  await waitFor(() => expect(result.current).toBe(false));
  expect(films()).toHaveLength(0);
});
