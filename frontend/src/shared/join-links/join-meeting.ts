/** The meeting whose end makes personal links void. */
export interface JoinMeeting {
  id: string;
  title: string;
  /** Slips have a code for its desks, too. */
  hasCheckIn: boolean;
}
