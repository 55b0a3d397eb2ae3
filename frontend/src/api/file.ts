import { unwrap } from './client';

/** A file that the server sends. */
export interface ServedFile {
  /** As the server calls it; null where it gives no name. */
  name: string | null;
  content: Blob;
}

/** The file of a successful answer that was asked for with `parseAs: 'blob'`; anything else is thrown. */
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
