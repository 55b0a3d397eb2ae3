import { formatDateTime } from '../format';

interface Timestamp {
  authority: string;
  at: string;
}

/** Who timestamped a record and when: "Timestamped by Example Timestamps at …". */
export function timestampWords({ authority, at }: Timestamp): string {
  return `Timestamped by ${authority} at ${formatDateTime(at)}`;
}
