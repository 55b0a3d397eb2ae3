import { z } from 'zod';
import type { CreateClientBody } from '../../api/types';

export const createClientFormSchema = z.object({
  name: z.string().trim().min(1, { error: "Enter the client's name" }),
  clientCode: z
    .string()
    .trim()
    .regex(/^[a-zA-Z0-9-]*$/, { error: 'Use letters, digits and hyphens only' }),
  firstName: z.string().trim().min(1, { error: 'Enter the first name' }),
  lastName: z.string().trim().min(1, { error: 'Enter the last name' }),
  email: z.email({ error: 'Enter an email address, such as name@example.org' }),
  password: z.string().min(8, { error: 'Minimum 8 characters' }),
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
