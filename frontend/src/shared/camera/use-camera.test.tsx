import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CameraVideo } from './camera-video';
import type { CodeReader } from './use-camera';

const stop = vi.fn();
const onFound = vi.fn();
const onFailed = vi.fn();

function openCamera(createReader: () => Promise<CodeReader>, isContinuous: boolean) {
  return render(
    <CameraVideo
      className={undefined}
      createReader={createReader}
      isContinuous={isContinuous}
      onFound={onFound}
      onFailed={onFailed}
    />,
  );
}

beforeEach(() => {
  vi.clearAllMocks();
  vi.useFakeTimers();
  const getUserMedia = async () => ({ getTracks: () => [{ stop }] });
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

it.each([
  ['goes on after a code and after a frame that cannot be read', true, [['first'], ['third']]],
  ['reads up to the first code', false, [['first']]],
])('%s', async (_, isContinuous, found) => {
  const read = vi
    .fn<CodeReader>()
    .mockResolvedValueOnce('first')
    .mockRejectedValueOnce(new Error('no frame'))
    .mockResolvedValueOnce('third')
    .mockResolvedValue(null);
  openCamera(async () => read, isContinuous);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(onFound.mock.calls).toEqual(found);
  expect(onFailed).not.toHaveBeenCalled();
});

it('is switched off if its reader cannot be loaded', async () => {
  const { unmount } = openCamera(() => Promise.reject(new Error('offline')), true);
  expect(screen.getByLabelText('Camera')).toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(0);
  expect(onFailed).toHaveBeenCalledOnce();
  unmount();
  expect(stop).toHaveBeenCalledOnce();
});
