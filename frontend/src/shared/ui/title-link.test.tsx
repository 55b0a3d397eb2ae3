import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render-part';
import { TitleLink } from './title-link';

it('opens the row on the page, and leaves clicks for another tab to the browser', async () => {
  const onOpen = vi.fn();
  const { user } = renderPart(
    <TitleLink to="/somewhere?edit=1" onOpen={onOpen}>
      Annual meeting
    </TitleLink>,
  );
  const link = screen.getByRole('link', { name: 'Annual meeting' });
  expect(link).toHaveAttribute('href', '/somewhere?edit=1');
  await user.click(link);
  expect(onOpen).toHaveBeenCalledOnce();
  fireEvent.click(link, { ctrlKey: true });
  expect(onOpen).toHaveBeenCalledOnce();
});
