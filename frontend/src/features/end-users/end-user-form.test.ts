import { describe, expect, it } from 'vitest';
import { sampleEndUser } from '../../test/samples';
import { credentialsFile } from './credentials-file';
import { toCreateEndUserBody, toEditEndUserFormValues, toUpdateEndUserBody } from './end-user-form';

describe('toUpdateEndUserBody', () => {
  it('sends nothing of a form that was not changed', () => {
    const endUser = sampleEndUser({ email: null, address: null, weight: 0 });
    expect(toUpdateEndUserBody(toEditEndUserFormValues(endUser), endUser)).toEqual({});
  });

  it('sends what was changed alone', () => {
    const endUser = sampleEndUser();
    const values = { ...toEditEndUserFormValues(endUser), email: ' ', weight: '3,5' };
    expect(toUpdateEndUserBody(values, endUser)).toEqual({ email: null, weight: 3.5 });
  });
});

describe('toCreateEndUserBody', () => {
  const values = {
    name: ' Vera ',
    username: 'vera',
    email: '',
    weight: '',
    address: ' ',
    groupIds: [],
    weights: [],
    password: 'x',
  };

  it('leaves out what is empty and counts a weight that is left empty as 1', () => {
    expect(toCreateEndUserBody(values)).toEqual({ name: 'Vera', username: 'vera', weight: 1, password: 'x' });
  });

  it('reads a weight with a comma', () => {
    expect(toCreateEndUserBody({ ...values, weight: '2,5' }).weight).toBe(2.5);
  });
});

describe('credentialsFile', () => {
  it('is named after the username and holds what is needed to sign in', () => {
    const file = credentialsFile(
      {
        organization: 'Riverside',
        clientCode: 'riverside',
        name: 'Vera Lind',
        username: 'vera',
        password: 's3cret!!',
        email: 'vera@riverside.test',
        loginInstructions: 'Open the portal.',
      },
      new Date('2026-11-21T12:00:00Z'),
    );
    expect(file.name).toBe('vera.txt');
    expect(file.text).toMatchInlineSnapshot(`
      "Organization: Riverside
      Organization code: riverside
      Name: Vera Lind
      Username: vera
      Password: s3cret!!
      Email: vera@riverside.test

      Open the portal.

      Date: 21 Nov 2026
      "
    `);
  });
});
