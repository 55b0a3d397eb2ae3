import { Button, Group } from '@mantine/core';
import classes from './export-first.module.css';
import { type ResultsFormat, useExportResults } from './use-export-results';

/** The exports of a meeting to download before it is deleted. */
const FILES: { format: ResultsFormat; label: string }[] = [
  { format: 'archive', label: 'Archive (everything, signed)' },
  { format: 'pdf', label: 'Minutes (PDF)' },
  { format: 'json', label: 'Signed results (JSON)' },
  { format: 'xlsx', label: 'Excel (XLSX)' },
];

/** Offers the exports of a meeting in a dialog that deletes it. */
export function ExportFirst({ meetingId }: { meetingId: string }) {
  const exportResults = useExportResults(meetingId);
  return (
    <section className={classes.root} aria-label="Export the results first">
      <p>Export the results first: what you download here stays yours, and can be verified later.</p>
      <Group gap="xs">
        {FILES.map(({ format, label }) => (
          <Button
            key={format}
            variant="default"
            size="sm"
            disabled={exportResults.isPending}
            onClick={() => exportResults.mutate(format)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </section>
  );
}
