import { TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createClientFormSchema } from '../features/clients/client-form';
import { createEndUserFormSchema } from '../features/end-users/end-user-form';
import { emptyMeeting, meetingFormSchema } from '../features/meetings/meeting-form';
import { newQuestion, questionFormSchema } from '../features/questions/question-form';
import { noQuorum } from '../shared/terms/quorum-form';
import { useRefusedFields } from '../shared/use-refused-fields';
import { renderPart } from '../test/render-part';

const check = (schema: Parameters<typeof schemaResolver>[0], values: Record<string, unknown>) =>
  Object.keys(schemaResolver(schema, { sync: true })(values)).sort();

const brokenQuorum = { ...noQuorum, isOn: true, fraction: 'own', numerator: 'x', denominator: '1e3' };

it('a meeting says all that is wrong at once: missing, too long, malformed, and in its quorum', () => {
  expect(
    check(meetingFormSchema, {
      ...emptyMeeting,
      description: 'a'.repeat(5_001),
      scheduledStartTime: '2026-11-21T14:00',
      scheduledEndTime: '2026-11-21T13:00',
      maxParticipants: '1.5',
      recurringPattern: 'a'.repeat(201),
      quorum: brokenQuorum,
    }),
  ).toEqual([
    'description',
    'maxParticipants',
    'quorum.denominator',
    'quorum.numerator',
    'recurringPattern',
    'scheduledEndTime',
    'title',
  ]);
});

it('a question says all that is wrong at once', () => {
  const question = newQuestion();
  expect(
    check(questionFormSchema, {
      ...question,
      questionType: 'MULTIPLE_CHOICE',
      options: question.options.map((option) => ({ ...option, text: 'Same' })),
      maxChoices: '3,0',
      decision: { ...question.decision, kind: 'plurality', seats: '0' },
      quorum: brokenQuorum,
    }),
  ).toEqual([
    'decisionRule.seats',
    'maxChoices',
    'options',
    'questionText',
    'quorum.denominator',
    'quorum.numerator',
  ]);
});

it('an organization and a voter say at once what is missing, malformed and too long', () => {
  const client = {
    name: '',
    clientCode: 'a'.repeat(33),
    firstName: 'a'.repeat(201),
    lastName: ' ',
    email: 'root',
    password: 'ä'.repeat(40),
    subscriptionPlan: 'BASIC',
  };
  expect(check(createClientFormSchema, client)).toEqual([
    'clientCode',
    'email',
    'firstName',
    'lastName',
    'name',
    'password',
  ]);
  const voter = {
    name: '',
    username: 'a'.repeat(65),
    email: 'x',
    weight: '101',
    address: 'a'.repeat(501),
    password: 'short',
  };
  expect(check(createEndUserFormSchema([]), { ...voter, groupIds: [], weights: [] })).toEqual(
    Object.keys(voter).sort(),
  );
});

it.each(['-a', 'a-', 'a--b'])('an organization code of %j is refused before it is sent', (clientCode) => {
  const rest = { name: 'A', firstName: 'A', lastName: 'B', email: 'a@b.org', password: 'long enough' };
  const values = { ...rest, subscriptionPlan: 'BASIC' };
  expect(check(createClientFormSchema, { ...values, clientCode })).toEqual(['clientCode']);
  expect(check(createClientFormSchema, { ...values, clientCode: ' My-Club-2 ' })).toEqual([]);
  expect(check(createClientFormSchema, { ...values, clientCode: '' })).toEqual([]);
});

const nameSchema = z.object({
  name: z.string().check(z.minLength(1, { error: 'Missing' })),
  username: z.string(),
});

function TwoFields() {
  const form = useForm({
    initialValues: { name: 'Vera', username: 'vera' },
    validate: schemaResolver(nameSchema, { sync: true }),
  });
  const refused = useRefusedFields(form);
  return (
    <form noValidate onSubmit={form.onSubmit(() => refused.refuse({ username: 'Taken' }), refused.merge)}>
      <TextInput label="Name" {...form.getInputProps('name')} />
      <TextInput label="Username" {...form.getInputProps('username')} />
      <button type="submit">Save</button>
    </form>
  );
}

it('what the server refused is said beside what the form finds, until it is changed', async () => {
  const { user } = renderPart(<TwoFields />);
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  await save();
  expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('Taken');
  await user.clear(screen.getByLabelText('Name'));
  await save();
  expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Missing');
  expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('Taken');
  await user.type(screen.getByLabelText('Username'), '2');
  await save();
  expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Missing');
  expect(screen.queryByText('Taken')).not.toBeInTheDocument();
});
