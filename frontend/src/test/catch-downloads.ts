import { vi } from 'vitest';

interface CaughtFile {
  name: string;
  text: () => Promise<string>;
}

/** Replaces the browser's downloads: the files passed to it, in order. */
export function catchDownloads(): CaughtFile[] {
  const files: CaughtFile[] = [];
  const contents = new Map<string, Blob>();
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (content: Blob) => {
        const url = `blob:${contents.size}`;
        contents.set(url, content);
        return url;
      },
      revokeObjectURL: () => undefined,
    }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const content = contents.get(this.href);
    files.push({ name: this.download, text: async () => (await content?.text()) ?? '' });
  });
  return files;
}
