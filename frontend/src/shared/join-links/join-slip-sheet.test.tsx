import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { JoinSlipSheet } from './join-slip-sheet';

const ADA = '019a9d5e-0000-7000-8000-000000000003';
const LINK = { endUserId: ADA, name: 'Ada Young', username: 'ada', email: null, token: 'secret' };

describe('a slip with a personal link', () => {
  it.each([true, false])('has a code for the desks if the meeting has check-in: %s', (hasCheckIn) => {
    const meeting = { id: 'm', title: 'Assembly', hasCheckIn };
    render(<JoinSlipSheet organization="Rowing Club" meeting={meeting} links={[LINK]} />);
    expect(screen.getByRole('img', { name: 'QR code of the personal link of Ada Young' })).toBeVisible();
    expect(screen.queryAllByRole('img', { name: 'Check-in code of Ada Young' })).toHaveLength(
      hasCheckIn ? 1 : 0,
    );
  });
});
