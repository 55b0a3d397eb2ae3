import * as z from 'zod/mini';
import type { CreateEndUserBody, EndUser, KindWeight, UpdateEndUserBody, WeightKind } from '../../api/types';
import { filledUpTo, isEmail, newPasswordForOthers, passwordForOthers, upTo } from '../../shared/form-checks';
import { type NumberRule, numberOf, numberProblem } from '../../shared/number-text';
import { PASSWORD_REASON_LENGTH } from '../../shared/ui/password-reason';
import { plainWeight, weightRuleOf } from '../../shared/weights/weight-text';

export const weightRule: NumberRule = {
  least: 0,
  most: 100,
  decimals: 4,
  wanted: 'Must be a number from 0 to 100 with at most 4 decimals, such as 2.5.',
};

const sharedFields = (kinds: WeightKind[]) => ({
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
  /** As typed. */
  weights: z.array(z.object({ kindId: z.string(), value: z.string() })).check(({ value, issues }) => {
    value.forEach((weight, place) => {
      const kind = kinds.find(({ id }) => id === weight.kindId);
      const problem = kind ? numberProblem(weight.value, weightRuleOf(kind)) : null;
      if (problem !== null) {
        issues.push({ code: 'custom', path: [place, 'value'], message: problem, input: weight.value });
      }
    });
  }),
});

export const createEndUserFormSchema = (kinds: WeightKind[]) =>
  z.object({
    ...sharedFields(kinds),
    password: passwordForOthers,
  });

export const editEndUserFormSchema = (kinds: WeightKind[]) =>
  z.object({
    ...sharedFields(kinds),
    isActive: z.boolean(),
    password: newPasswordForOthers,
    passwordReason: upTo(PASSWORD_REASON_LENGTH),
  });

export type CreateEndUserFormValues = z.infer<ReturnType<typeof createEndUserFormSchema>>;
export type EditEndUserFormValues = z.infer<ReturnType<typeof editEndUserFormSchema>>;

const USUAL_WEIGHT = 1;

/** An empty field counts as 1, as its hint says. */
export function toWeight(text: string): number {
  return text.trim() === '' ? USUAL_WEIGHT : numberOf(text, weightRule);
}

/** The values as the server takes them, in their order. Values of kinds that this screen does not know stay as they are. */
function toWeights(weights: KindWeight[], kinds: WeightKind[]): KindWeight[] {
  return weights.map(({ kindId, value }) => ({
    kindId,
    value: plainWeight(
      value,
      kinds.find(({ id }) => id === kindId),
    ),
  }));
}

const VALUE_PATH = /^(weights|weightChanges)(?:\.(\d+)|\[(\d+)\])\.value$/;

/** The path in the form of a server's error of a value: "weights.0.value", also for "weights[0].value". */
export function placeOfWeight(path: string): string | null {
  const [, field, dotted, bracketed] = VALUE_PATH.exec(path) ?? [];
  return field === 'weights' ? `weights.${dotted ?? bracketed}.value` : null;
}

/** The same for the form of a known person, of which only the changed values are sent. */
export function placeOfWeightChange(
  path: string,
  sent: EditEndUserFormValues,
  endUser: EndUser,
  kinds: WeightKind[],
): string | null {
  const [, field, dotted, bracketed] = VALUE_PATH.exec(path) ?? [];
  const changed =
    field === 'weightChanges' ? weightChanges(sent, endUser, kinds)[Number(dotted ?? bracketed)] : undefined;
  const place = sent.weights.findIndex(({ kindId }) => kindId === changed?.kindId);
  return place === -1 ? null : `weights.${place}.value`;
}

export function toCreateEndUserBody(
  values: CreateEndUserFormValues,
  kinds: WeightKind[] = [],
): CreateEndUserBody {
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
    ...(values.weights.length > 0 ? { weights: toWeights(values.weights, kinds) } : {}),
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
    weights: endUser.weights,
    isActive: endUser.isActive,
    password: '',
    passwordReason: '',
  };
}

/**
 * Only the changed values, so that a change by another administrator since the form was opened stays. A cleared field is
 * sent as `null`, which deletes the value. An empty password keeps the current one. Groups are sent together, because a
 * person who is moved must not be in none for a moment.
 */
export function toUpdateEndUserBody(
  values: EditEndUserFormValues,
  endUser: EndUser,
  kinds: WeightKind[] = [],
): UpdateEndUserBody {
  const before = toEditEndUserFormValues(endUser);
  const weights = weightChanges(values, endUser, kinds);
  const passwordReason = values.passwordReason.trim();
  const has = (field: keyof typeof before) => values[field] !== before[field];
  return {
    ...(has('name') ? { name: values.name.trim() } : {}),
    ...(has('username') ? { username: values.username.trim() } : {}),
    ...(has('email') ? { email: values.email.trim() || null } : {}),
    ...(has('address') ? { address: values.address.trim() || null } : {}),
    ...(has('weight') ? { weight: toWeight(values.weight) } : {}),
    ...(has('isActive') ? { isActive: values.isActive } : {}),
    ...(isSameSet(values.groupIds, before.groupIds) ? {} : { groupIds: values.groupIds }),
    ...(weights.length > 0 ? { weightChanges: weights } : {}),
    ...(values.password ? { password: values.password } : {}),
    ...(values.password && passwordReason ? { passwordReason } : {}),
  };
}

/** The values that differ from those of the person, in the order of the form. A kind without a value has 0. */
function weightChanges(
  { weights }: EditEndUserFormValues,
  endUser: EndUser,
  kinds: WeightKind[],
): KindWeight[] {
  const before = new Map(toWeights(endUser.weights, kinds).map(({ kindId, value }) => [kindId, value]));
  return toWeights(weights, kinds).filter(({ kindId, value }) => value !== (before.get(kindId) ?? '0'));
}

/** Whether two lists have the same texts, in any order. */
function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
