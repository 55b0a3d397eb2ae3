/**
 * The prefix of test data, in capitals, in the names of clients, end users and meetings. Statistics and exports exclude
 * test data, and Cleanup Data deletes them.
 */
export const TEST_PREFIX = 'TEST_';

/** Whether this is the name of test data. */
export function isTestName(name: string | null | undefined): boolean {
  return name?.startsWith(TEST_PREFIX) ?? false;
}

/** Whether a meeting is test data: by its title, or by its organization. */
export function isTestMeeting({ title, organization }: { title: string; organization: string }): boolean {
  return isTestName(title) || isTestName(organization);
}

/** Whether a person is test data: by either name. */
export function isTestPerson(person: {
  name?: string | null | undefined;
  username?: string | null | undefined;
}): boolean {
  return isTestName(person.name) || isTestName(person.username);
}

/** The note for everyone who sees a meeting that is test data. */
export const TEST_MEETING = 'This meeting is test data: its results decide nothing.';

/** The note for organizers. */
export const TEST_PERSON =
  'A name or username that begins with TEST_ marks test data: this person counts in no statistics and has no vote in real meetings, also when the participant list contains the person.';
