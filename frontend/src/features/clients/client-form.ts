import * as z from 'zod/mini';
import type { Client, CreateClientBody, UpdateClientBody } from '../../api/types';
import { filledUpTo, isEmail, newPasswordForOthers, passwordForOthers, upTo } from '../../shared/form-checks';

const LONGEST_NAME = 200;

const name = filledUpTo(LONGEST_NAME, "Enter the client's name");
const email = z
  .string()
  .check(z.refine(isEmail, { error: 'Enter an email address, such as name@example.org' }));
const subscriptionPlan = z.enum(['BASIC', 'PRO', 'ENTERPRISE']);

const clientCode = z.string().check(
  z.trim(),
  z.regex(/^[a-zA-Z0-9-]*$/, { error: 'Use letters, digits and hyphens only', abort: true }),
  z.regex(/^$|^(?=.{1,32}$)[^-]+(-[^-]+)*$/, {
    error: 'Use 1 to 32 letters and digits, with single hyphens between them, such as my-club',
  }),
);

export const createClientFormSchema = z.object({
  name,
  clientCode,
  firstName: filledUpTo(LONGEST_NAME, 'Enter the first name'),
  lastName: filledUpTo(LONGEST_NAME, 'Enter the last name'),
  email,
  password: passwordForOthers,
  subscriptionPlan,
});

export const editClientFormSchema = z.object({
  name,
  clientCode,
  contactEmail: email,
  status: z.enum(['ACTIVE', 'INACTIVE', 'SUSPENDED']),
  subscriptionPlan,
  firstName: upTo(LONGEST_NAME),
  lastName: upTo(LONGEST_NAME),
  password: newPasswordForOthers,
});

export type CreateClientFormValues = z.infer<typeof createClientFormSchema>;
export type EditClientFormValues = z.infer<typeof editClientFormSchema>;

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

/** The main contact in the form of a client: the first of its administrators. */
export function mainContactOf(client: Client): Client['users'][number] | undefined {
  return client.users.find(({ role }) => role === 'CLIENT');
}

export function toEditClientFormValues(client: Client): EditClientFormValues {
  const contact = mainContactOf(client);
  return {
    name: client.name,
    clientCode: client.clientCode,
    contactEmail: client.contactEmail,
    status: client.status,
    subscriptionPlan: client.subscriptionPlan,
    firstName: contact?.firstName ?? '',
    lastName: contact?.lastName ?? '',
    password: '',
  };
}

/**
 * Only the changed values, so that a form that was open for a while does not undo what others changed meanwhile, such
 * as a suspension. An empty contact name, code or password keeps the current one.
 */
export function toUpdateClientBody(values: EditClientFormValues, client: Client): UpdateClientBody {
  const before = toEditClientFormValues(client);
  const code = values.clientCode.trim().toLowerCase();
  const has = (field: keyof typeof before) => values[field] !== before[field];
  return {
    ...(has('name') ? { name: values.name.trim() } : {}),
    ...(code && code !== client.clientCode ? { clientCode: code } : {}),
    ...(has('contactEmail') ? { contactEmail: values.contactEmail.trim() } : {}),
    ...(has('status') ? { status: values.status } : {}),
    ...(has('subscriptionPlan') ? { subscriptionPlan: values.subscriptionPlan } : {}),
    ...(has('firstName') ? { firstName: values.firstName.trim() } : {}),
    ...(has('lastName') ? { lastName: values.lastName.trim() } : {}),
    ...(values.password ? { password: values.password } : {}),
  };
}
