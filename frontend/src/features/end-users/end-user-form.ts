import * as z from 'zod/mini';
import type { CreateEndUserBody, EndUser, UpdateEndUserBody } from '../../api/types';
import { filledUpTo, isEmail, newPasswordForOthers, passwordForOthers, upTo } from '../../shared/form-checks';
import { type NumberRule, numberOf, numberProblem } from '../../shared/number-text';
import { PASSWORD_REASON_LENGTH } from '../../shared/ui/password-reason';

export const weightRule: NumberRule = {
  least: 0,
  most: 100,
  decimals: 4,
  wanted: 'Must be a number from 0 to 100 with at most 4 decimals, such as 2.5.',
};

const sharedFields = {
  name: filledUpTo(200, 'Enter the full name'),
  username: filledUpTo(64, 'Enter a username'),
  email: z.string().check(
    z.refine((email) => email.trim() === '' || isEmail(email), {
      error: 'Enter an email address, such as name@example.org, or leave this empty',
    }),
  ),
  /** As typed. */
  weight: z
    .string()
    .check(z.refine((text) => numberProblem(text, weightRule) === null, { error: weightRule.wanted })),
  address: upTo(500),
  groupIds: z.array(z.string()),
};

export const createEndUserFormSchema = z.object({
  ...sharedFields,
  password: passwordForOthers,
});

export const editEndUserFormSchema = z.object({
  ...sharedFields,
  isActive: z.boolean(),
  password: newPasswordForOthers,
  passwordReason: upTo(PASSWORD_REASON_LENGTH),
});

export type CreateEndUserFormValues = z.infer<typeof createEndUserFormSchema>;
export type EditEndUserFormValues = z.infer<typeof editEndUserFormSchema>;

const USUAL_WEIGHT = 1;

/** An empty field counts as 1, as its hint says. */
export function toWeight(text: string): number {
  return text.trim() === '' ? USUAL_WEIGHT : numberOf(text, weightRule);
}

export function toCreateEndUserBody(values: CreateEndUserFormValues): CreateEndUserBody {
  const email = values.email.trim();
  const address = values.address.trim();
  return {
    name: values.name.trim(),
    username: values.username.trim(),
    weight: toWeight(values.weight),
    password: values.password,
    ...(email ? { email } : {}),
    ...(address ? { address } : {}),
    ...(values.groupIds.length > 0 ? { groupIds: values.groupIds } : {}),
  };
}

export function toEditEndUserFormValues(endUser: EndUser): EditEndUserFormValues {
  return {
    name: endUser.name,
    username: endUser.username,
    email: endUser.email ?? '',
    weight: String(endUser.weight),
    address: endUser.address ?? '',
    groupIds: endUser.groups.map(({ id }) => id),
    isActive: endUser.isActive,
    password: '',
    passwordReason: '',
  };
}

/** A cleared field is sent as `null`, which deletes the value. An empty password keeps the current one. */
export function toUpdateEndUserBody(values: EditEndUserFormValues, before: EndUser): UpdateEndUserBody {
  const groupsBefore = toEditEndUserFormValues(before).groupIds;
  const passwordReason = values.passwordReason.trim();
  return {
    name: values.name.trim(),
    username: values.username.trim(),
    email: values.email.trim() || null,
    address: values.address.trim() || null,
    weight: toWeight(values.weight),
    isActive: values.isActive,
    ...(isSameSet(values.groupIds, groupsBefore) ? {} : { groupIds: values.groupIds }),
    ...(values.password ? { password: values.password } : {}),
    ...(values.password && passwordReason ? { passwordReason } : {}),
  };
}

/** Whether two lists of ids have the same ones, in any order. */
function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
