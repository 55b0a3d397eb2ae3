/** Explains why a vote of another session is shown without its answer: another person may know the password. */
export const HIDDEN_ANSWER = 'Only the device and session that you voted with show your answer';
