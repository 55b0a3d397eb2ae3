import { useUser } from '../../api/use-session';
import { isTestMeeting, TEST_MEETING } from '../test-data';
import { WarningNote } from './warning-note';

interface TestMeetingNoteProps {
  /** Undefined while it loads. */
  title: string | undefined;
  /** Left out on the screens of organizers: it is their own. */
  organization?: string;
}

/** Marks the screen of a meeting that is test data. */
export function TestMeetingNote({ title = '', organization }: TestMeetingNoteProps) {
  const own = useUser()?.clientName;
  return isTestMeeting({ title, organization: organization ?? own ?? '' }) ? (
    <WarningNote>{TEST_MEETING}</WarningNote>
  ) : null;
}
