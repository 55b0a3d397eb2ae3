import { describe, expect, it } from 'vitest';
import { isTestMeeting, isTestPerson } from './test-data';

describe('test data', () => {
  it('is a meeting by its title or its organization', () => {
    expect(isTestMeeting({ title: 'TEST_Assembly', organization: 'Rowing Club' })).toBe(true);
    expect(isTestMeeting({ title: 'Assembly', organization: 'TEST_CLIENT_1' })).toBe(true);
    expect(isTestMeeting({ title: 'Test_Assembly', organization: 'A TEST_' })).toBe(false);
  });

  it('is a person by either name', () => {
    expect(isTestPerson({ name: 'TEST_Anna', username: 'anna' })).toBe(true);
    expect(isTestPerson({ name: 'Anna', username: 'TEST_1' })).toBe(true);
    expect(isTestPerson({ name: null, username: undefined })).toBe(false);
  });
});
