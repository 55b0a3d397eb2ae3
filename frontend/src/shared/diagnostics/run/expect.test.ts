import { expect, it } from 'vitest';
import type { Answer } from './answer';
import { hold, refused, same } from './expect';

function answer(status: number, body: unknown): Answer {
  return { call: 'POST /it', status, headers: new Headers(), body, ms: 1 };
}

it('wants the status, the code and the fields of a refusal', () => {
  const refusal = answer(422, { code: 'invalid_input', fields: { name: ['Wrong.'] } });
  expect(refused(refusal, 422, 'invalid_input', ['name'])).toBe(refusal);
  expect(refused(refusal, 422, ['other', 'invalid_input'])).toBe(refusal);
  expect(refused(answer(404, 'plain'), 404)).toMatchObject({ status: 404 });
  expect(() => refused(answer(201, {}), 409)).toThrow('POST /it answered 201 instead of 409');
  expect(() => refused(refusal, 422, 'not_json')).toThrow(
    'POST /it was refused with the code invalid_input instead of not_json',
  );
  expect(() => refused(refusal, 422, 'invalid_input', ['name', 'email'])).toThrow(
    'POST /it was refused without naming email',
  );
});

it('says what is otherwise', () => {
  expect(() => same('The title', 'One', 'One')).not.toThrow();
  expect(() => same('The title', ['One'], ['Two'])).toThrow('The title is ["One"] instead of ["Two"]');
  expect(() => hold(true, 'Wrong.')).not.toThrow();
  expect(() => hold(false, 'Wrong.')).toThrow('Wrong.');
});
