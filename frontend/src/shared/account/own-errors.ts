import { ApiError } from '../../api/api-error';

/** What stands at the field of a current password that was another one. */
export const WRONG_PASSWORD = 'This is not your current password';

export function isPasswordWrong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'wrong_password';
}
