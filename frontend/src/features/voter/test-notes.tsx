import type { User } from '../../api/types';
import { isTestMeeting, isTestPerson, TEST_MEETING } from '../../shared/test-data';
import { later } from './later';
import { Notice } from './notice';

const TestPerson = later(() => import('./test-person').then((loaded) => loaded.TestPerson));

interface TestNotesProps {
  user: Pick<User, 'name' | 'username'> | null;
  /** The shown meeting, once it is loaded. Undefined on the list of meetings. */
  meeting?: { title: string; organization: string } | undefined;
}

/**
 * Explains that a meeting is test data, or that this person's name marks test data and has no vote in real meetings.
 */
export function TestNotes({ user, meeting }: TestNotesProps) {
  if (meeting && isTestMeeting(meeting)) {
    return (
      <Notice tone="info" title="Test meeting">
        <p>{TEST_MEETING}</p>
      </Notice>
    );
  }
  return user && isTestPerson(user) ? <TestPerson /> : null;
}
