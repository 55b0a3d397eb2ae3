import * as z from 'zod/mini';
import type { CreateClientBody } from '../../api/types';

export const createClientFormSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, { error: "Enter the client's name" })),
  clientCode: z
    .string()
    .check(z.trim(), z.regex(/^[a-zA-Z0-9-]*$/, { error: 'Use letters, digits and hyphens only' })),
  firstName: z.string().check(z.trim(), z.minLength(1, { error: 'Enter the first name' })),
  lastName: z.string().check(z.trim(), z.minLength(1, { error: 'Enter the last name' })),
  email: z.email({ error: 'Enter an email address, such as name@example.org' }),
  password: z.string().check(z.minLength(8, { error: 'Minimum 8 characters' })),
  subscriptionPlan: z.enum(['BASIC', 'PRO', 'ENTERPRISE']),
});

export type CreateClientFormValues = z.infer<typeof createClientFormSchema>;

export function toCreateClientBody(values: CreateClientFormValues): CreateClientBody {
  const clientCode = values.clientCode.trim().toLowerCase();
  return {
    name: values.name.trim(),
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    email: values.email.trim(),
    password: values.password,
    subscriptionPlan: values.subscriptionPlan,
    ...(clientCode ? { clientCode } : {}),
  };
}
