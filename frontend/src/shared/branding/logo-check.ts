import { ApiError, messageOf } from '../../api/api-error';
import { UnreadableFile } from '../file-base64';
import { formatNumber } from '../format';

const MAX_BYTES = 256 * 1024;

export const LOGO_ENDINGS = ['.png', '.jpg', '.jpeg', '.webp'];

/** The error of a file that is visible without reading it. */
export function logoFault(file: File): string | null {
  const name = file.name.toLowerCase();
  if (!LOGO_ENDINGS.some((ending) => name.endsWith(ending))) {
    return `“${file.name}” is not a PNG, JPEG or WebP image. Export the logo as one of these, and choose that file.`;
  }
  if (file.size > MAX_BYTES) {
    return `“${file.name}” has ${formatNumber(Math.ceil(file.size / 1024))} KiB. At most 256 KiB are possible: export it smaller.`;
  }
  return null;
}

/** The reason why the server refused a file, as a sentence: its message is only a fragment ("Must be …"). */
export function logoErrorText(error: unknown): string {
  if (error instanceof UnreadableFile) {
    return 'The file could not be read. It may have been moved or deleted: choose it again.';
  }
  const wanted = error instanceof ApiError ? error.fields.content?.[0] : undefined;
  return wanted ? wanted.replace(/^Must /, 'The logo must ') : messageOf(error, 'Failed to save the logo');
}
