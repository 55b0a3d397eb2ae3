import { ApiError } from '../../api/api-error';

/** The password was right, and a code is required. */
export function isCodeWanted(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_required';
}

export function isCodeWrong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_wrong';
}

/** The message at the field of a wrong code. */
export const WRONG_CODE = 'This code is wrong, or was used already';
