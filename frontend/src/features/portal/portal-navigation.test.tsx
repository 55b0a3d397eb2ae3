import { IconUsers } from '@tabler/icons-react';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { PortalTabs } from './portal-navigation';

const SECTIONS = [
  { to: '/client/end-users', label: 'End Users', icon: IconUsers, further: ['/client/groups'] },
  { to: '/client/meetings', label: 'Meetings', icon: IconUsers },
];

it.each([
  ['/client/end-users/import', 'page'],
  ['/client/groups', 'true'],
  ['/client/groups/7', 'true'],
])('marks the section of %s', (address, current) => {
  render(
    <MemoryRouter initialEntries={[address]}>
      <PortalTabs sections={SECTIONS} />
    </MemoryRouter>,
  );
  expect(screen.getByRole('link', { name: 'End Users' })).toHaveAttribute('aria-current', current);
  expect(screen.getByRole('link', { name: 'Meetings' })).not.toHaveAttribute('aria-current');
});
