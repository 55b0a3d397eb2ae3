import { unwrap } from './client';

/** A file from the server. */
export interface ServedFile {
  /** The server's name of the file; null without one. */
  name: string | null;
  content: Blob;
}

/** The file of a successful response that was requested with `parseAs: 'blob'`. Throws for any other. */
export async function unwrapFile(
  call: Promise<{ data?: Blob; error?: unknown; response: Response }>,
): Promise<ServedFile> {
  const content = await unwrap(call);
  const { response } = await call;
  return { name: fileNameOf(response.headers.get('Content-Disposition')), content };
}

function fileNameOf(disposition: string | null): string | null {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? null;
}
