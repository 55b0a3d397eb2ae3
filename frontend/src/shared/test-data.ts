/**
 * Clients, end users and meetings whose names begin with it, in capitals, are test data: they count in no figure and no
 * export, and Cleanup Data deletes them.
 */
export const TEST_PREFIX = 'TEST_';

/** Whether what has this name is test data. */
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

/** For everyone who sees a meeting that is test data. */
export const TEST_MEETING = 'This meeting is test data: its results decide nothing.';

/** For organizers. */
export const TEST_PERSON =
  'A name or username that begins with TEST_ marks test data: this person counts in no statistics and has no vote in real meetings, also when the participant list contains the person.';
