import { render, screen, waitFor } from '@testing-library/react';
import { useRef } from 'react';
import { expect, it } from 'vitest';
import { useFocusKept } from './use-focus-kept';

interface PageProps {
  isOpen: boolean;
  hasOpener?: boolean;
  hasCard?: boolean;
}

/** A dialog that removes the focus when it closes, as Mantine's do on slow devices. */
function Page({ isOpen, hasOpener = true, hasCard = false }: PageProps) {
  const card = useRef<HTMLElement>(null);
  const returnFocus = useFocusKept(isOpen, card);
  return (
    <main id="main" tabIndex={-1}>
      {hasOpener ? <button type="button">Delete</button> : null}
      {hasCard ? <section ref={card} tabIndex={-1} aria-label="Seats" /> : null}
      {isOpen ? <button type="button">Cancel</button> : null}
      <button type="button" tabIndex={-1} onClick={returnFocus}>
        The dialog is gone
      </button>
    </main>
  );
}

const button = (name: string) => screen.getByRole('button', { name });

function openDialog() {
  const page = render(<Page isOpen={false} />);
  button('Delete').focus();
  page.rerender(<Page isOpen />);
  button('Cancel').focus();
  return page;
}

it('gives the focus back to what had it', async () => {
  const page = openDialog();
  page.rerender(<Page isOpen={false} />);
  expect(document.body).toHaveFocus();
  button('The dialog is gone').click();
  await waitFor(() => expect(button('Delete')).toHaveFocus());
});

it('goes on at the top of the screen where that is gone too', async () => {
  const page = openDialog();
  page.rerender(<Page isOpen={false} hasOpener={false} />);
  button('The dialog is gone').click();
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});

it('goes on at the given element before the top of the screen', async () => {
  const page = openDialog();
  page.rerender(<Page isOpen={false} hasOpener={false} hasCard />);
  button('The dialog is gone').click();
  await waitFor(() => expect(screen.getByRole('region', { name: 'Seats' })).toHaveFocus());
});

it('leaves a focus alone that is somewhere', async () => {
  const page = openDialog();
  button('The dialog is gone').focus();
  page.rerender(<Page isOpen={false} />);
  button('The dialog is gone').click();
  await new Promise((resolve) => window.setTimeout(resolve, 60));
  expect(button('The dialog is gone')).toHaveFocus();
});

it('leaves the focus alone once the page is left', async () => {
  const page = openDialog();
  page.rerender(<Page isOpen={false} />);
  button('The dialog is gone').click();
  page.unmount();
  render(<main id="main" tabIndex={-1} />);
  await new Promise((resolve) => window.setTimeout(resolve, 60));
  expect(document.body).toHaveFocus();
});
