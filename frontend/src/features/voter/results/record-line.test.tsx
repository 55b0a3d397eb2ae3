import { render, screen } from '@testing-library/react';
import type { ComponentProps, ReactElement } from 'react';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { RecordLine } from './record-line';
import { RecordWarning } from './record-warning';

const record = {
  hash: '5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456',
  key: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  recordedAt: '2026-11-21T18:10:02Z',
  isRecordedLater: false,
};
const changed = { ...record, hash: record.hash.replace('5df6', '0000') };

function Line({ record, roundId }: ComponentProps<typeof RecordWarning> & ComponentProps<typeof RecordLine>) {
  return (
    <>
      <RecordLine record={record} />
      <RecordWarning record={record} roundId={roundId} />
    </>
  );
}

function renderLine(line: ReactElement) {
  return render(<MemoryRouter>{line}</MemoryRouter>);
}

describe('the record of a result on a phone', () => {
  it('is kept by the device, which notices another one', () => {
    const first = renderLine(<Line record={record} roundId="r1" />);
    expect(screen.getByText(/Record 5df6 e0e2 7613 59d3\./)).toBeVisible();
    first.unmount();

    const again = renderLine(<Line record={record} roundId="r1" />);
    expect(screen.queryByText(/another record/)).toBeNull();
    again.unmount();

    renderLine(<Line record={changed} roundId="r1" />);
    expect(screen.getByText(/Record 0000 e0e2 7613 59d3\./)).toBeVisible();
    expect(
      screen.getByText(/has seen another record of this result before: 5df6 e0e2 7613 59d3/),
    ).toBeVisible();
  });

  it('is kept for each round', () => {
    renderLine(<Line record={record} roundId="r1" />);
    renderLine(<Line record={changed} roundId="r2" />);
    expect(screen.queryByText(/another record/)).toBeNull();
  });
});
