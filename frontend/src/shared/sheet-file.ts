import { ApiError, messageOf } from '../api/api-error';
import { UnreadableFile } from './file-base64';
import { formatNumber } from './format';

const MAX_BYTES = 5 * 1024 * 1024;

export const FILE_ENDINGS = ['.csv', '.txt', '.tsv', '.xlsx'];

/** The error of a file that is visible without reading it. */
export function fileFault(file: File): string | null {
  const name = file.name.toLowerCase();
  if (!FILE_ENDINGS.some((ending) => name.endsWith(ending))) {
    return `“${file.name}” is neither a CSV file nor an Excel workbook (.xlsx). Save the table as one of these, and choose that file.`;
  }
  if (file.size === 0) {
    return `“${file.name}” is empty.`;
  }
  if (file.size > MAX_BYTES) {
    const megabytes = formatNumber(Math.ceil((file.size / 1024 / 1024) * 10) / 10);
    return `“${file.name}” is ${megabytes} MB large. At most 5 MB can be imported at once: split the table into several files.`;
  }
  return null;
}

/** The reason why a file could not be read, as a sentence: the server's message is only a fragment ("must be …"). */
export function readErrorText(error: unknown): string {
  if (error instanceof UnreadableFile) {
    return 'The file could not be read. It may have been moved or deleted: choose it again.';
  }
  if (error instanceof ApiError) {
    const content = error.fields.content?.[0];
    const fileName = error.fields.fileName?.[0];
    if (content) {
      return asSentence('The file', content);
    }
    if (fileName) {
      return asSentence('The name of the file', fileName);
    }
    if (error.status === 413) {
      return 'The file is too large. At most 5 MB can be imported at once.';
    }
  }
  return messageOf(error, 'Failed to read the file');
}

function asSentence(subject: string, wanted: string): string {
  return wanted.startsWith('Must ') ? `${subject} must ${wanted.slice('Must '.length)}` : wanted;
}
