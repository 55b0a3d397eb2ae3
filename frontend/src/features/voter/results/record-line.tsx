import type { Result } from '../../../api/types';
import { paths } from '../../../shared/paths';
import { firstGroups } from '../../../shared/result/record-words';
import { TextLink } from '../../../shared/ui/text-link';

interface RecordLineProps {
  record: NonNullable<Result['record']>;
  className?: string | undefined;
}

/** The first groups of the record hash. */
export function RecordLine({ record, className }: RecordLineProps) {
  return (
    <p className={className}>
      Record {firstGroups(record.hash)}. <TextLink to={paths.verify(record.hash)}>Check this result</TextLink>
    </p>
  );
}
