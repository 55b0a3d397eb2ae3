import { ApiError } from '../../api/api-error';

/** The password was right, and a code is asked for. */
export function isCodeWanted(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_required';
}

export function isCodeWrong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_wrong';
}

/** What stands at the field of a code that was not right. */
export const WRONG_CODE = 'This code is wrong, or was used already';
