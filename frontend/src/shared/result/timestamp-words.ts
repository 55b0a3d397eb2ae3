import { formatDateTime } from '../format';

interface Timestamp {
  authority: string;
  at: string;
}

/** The authority and time of a record's timestamp: "Timestamped by Example Timestamps at …". */
export function timestampWords({ authority, at }: Timestamp): string {
  return `Timestamped by ${authority} at ${formatDateTime(at)}`;
}
