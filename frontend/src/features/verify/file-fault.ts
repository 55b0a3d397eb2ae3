import { ApiError, messageOf } from '../../api/api-error';

const MAX_BYTES = 8 * 1024 * 1024;

export const FILE_ENDINGS = ['.json', '.csv', '.xlsx'];

const TOO_LARGE =
  'The file is larger than 8 MB. Check it with the command “plenum verify FILE” on a computer, which has no limit.';

/** The error of a file that is known without sending it. */
export function fileFault(files: File[]): string | null {
  const [file] = files;
  if (files.length > 1) {
    return 'Choose one file at a time.';
  }
  if (file?.size === 0) {
    return 'The file is empty.';
  }
  return file && file.size > MAX_BYTES ? TOO_LARGE : null;
}

/** The reason why the server could not check a file. */
export function checkErrorText(error: unknown): string {
  return error instanceof ApiError && error.status === 413
    ? TOO_LARGE
    : messageOf(error, 'Failed to check the file');
}
