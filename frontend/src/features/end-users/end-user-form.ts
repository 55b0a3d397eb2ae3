import * as z from 'zod/mini';
import type { CreateEndUserBody } from '../../api/types';

export const createEndUserFormSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, { error: 'Enter the full name' })),
  username: z.string().check(z.trim(), z.minLength(1, { error: 'Enter a username' })),
  email: z.union([
    z.literal(''),
    z.email({ error: 'Enter an email address, such as name@example.org, or leave this empty' }),
  ]),
  // A number field that was emptied holds ''.
  weight: z.union([z.number(), z.string()]),
  address: z.string(),
  password: z.string().check(z.minLength(8, { error: 'Minimum 8 characters' })),
});

export type CreateEndUserFormValues = z.infer<typeof createEndUserFormSchema>;

/** What is not a number counts as 1; the range is the server's to judge. */
export function toWeight(value: number | string): number {
  const weight = typeof value === 'number' ? value : Number.parseFloat(value);
  return Number.isFinite(weight) ? weight : 1;
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
  };
}
