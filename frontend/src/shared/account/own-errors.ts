import { ApiError } from '../../api/api-error';

/** The message at the field of a wrong current password. */
export const WRONG_PASSWORD = 'This is not your current password';

export function isPasswordWrong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'wrong_password';
}
