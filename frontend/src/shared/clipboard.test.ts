import { afterEach, expect, it, vi } from 'vitest';
import { copyComingText } from './clipboard';

/** The text passed to the clipboard. */
let written: Promise<Blob>[];

class FakeItem {
  constructor(readonly parts: Record<string, Promise<Blob>>) {}
}

function clipboard(write: (items: FakeItem[]) => Promise<void>) {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('ClipboardItem', FakeItem);
  vi.stubGlobal('navigator', { clipboard: { write: vi.fn(write), writeText } });
  return writeText;
}

afterEach(() => vi.unstubAllGlobals());

it('begins to write within the click, before the text is there', async () => {
  written = [];
  clipboard(async ([item]) => {
    const blob = item?.parts['text/plain'];
    if (blob) {
      written.push(blob);
      await blob;
    }
  });
  let bring = (_: string) => {};
  const copied = copyComingText(new Promise((resolve) => (bring = resolve)));
  // In the same turn of the event loop: WebKit does not allow a later write.
  expect(written).toHaveLength(1);
  bring('https://plenum.test/vote/abc');
  expect(await copied).toBe(true);
  expect((await written[0])?.type).toBe('text/plain');
});

it('goes the usual way where the clipboard takes no promises', async () => {
  const writeText = clipboard(async () => {
    throw new TypeError('no promises');
  });
  expect(await copyComingText(Promise.resolve('abc'))).toBe(true);
  expect(writeText).toHaveBeenCalledExactlyOnceWith('abc');
});

it('goes the usual way where there is no such clipboard', async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  expect(await copyComingText(Promise.resolve('abc'))).toBe(true);
  expect(writeText).toHaveBeenCalledExactlyOnceWith('abc');
});

it('fails where the call for the text fails, and copies nothing', async () => {
  const writeText = clipboard(async ([item]) => void (await item?.parts['text/plain']));
  await expect(copyComingText(Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(writeText).not.toHaveBeenCalled();
});

it('reports a failed call once where the clipboard has refused the write before', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  clipboard(async () => {
    throw new TypeError('not allowed');
  });
  const failing = new Promise<string>((_, reject) => setTimeout(() => reject(new Error('down')), 10));
  await expect(copyComingText(failing)).rejects.toThrow('down');
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
