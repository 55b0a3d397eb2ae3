import { useDisclosure } from '@mantine/hooks';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render-part';
import { ConfirmDialog } from './confirm-dialog';

function Row({ onConfirm }: { onConfirm: () => Promise<unknown> }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <button type="button" onClick={dialog.open}>
        Delete
      </button>
      <ConfirmDialog
        opened={isOpen}
        onClose={dialog.close}
        title="Delete it?"
        confirmLabel="Delete Rowing Club"
        isDangerous
        onConfirm={onConfirm}
      >
        It is gone then.
      </ConfirmDialog>
    </>
  );
}

const dialog = () => screen.queryByRole('dialog', { name: 'Delete it?' });
const confirmButton = () => screen.findByRole('button', { name: 'Delete Rowing Club' });

/** A request that the test answers. */
function pending() {
  let succeed = () => {};
  let fail = () => {};
  const promise = new Promise<void>((resolve, reject) => {
    succeed = resolve;
    fail = () => reject(new Error('refused'));
  });
  return { promise, succeed: () => succeed(), fail: () => fail() };
}

it('has the focus where nothing happens, and gives it back', async () => {
  const onConfirm = vi.fn(() => Promise.resolve());
  const { user } = renderPart(<Row onConfirm={onConfirm} />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(dialog()).not.toBeInTheDocument());
  expect(onConfirm).not.toHaveBeenCalled();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Delete' })).toHaveFocus());
});

it('does it once, however often it is clicked, and closes then', async () => {
  const request = pending();
  const onConfirm = vi.fn(() => request.promise);
  const { user } = renderPart(<Row onConfirm={onConfirm} />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.dblClick(await confirmButton());
  await user.keyboard('{Enter}');
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(await confirmButton()).toHaveFocus();
  request.succeed();
  await waitFor(() => expect(dialog()).not.toBeInTheDocument());
});

it('stays for another try where it failed', async () => {
  const request = pending();
  const onConfirm = vi.fn(() => request.promise);
  const { user } = renderPart(<Row onConfirm={onConfirm} />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(await confirmButton());
  request.fail();
  await waitFor(async () => expect(await confirmButton()).not.toHaveAttribute('aria-disabled'));
  await user.click(await confirmButton());
  expect(onConfirm).toHaveBeenCalledTimes(2);
});

it('is not closed by what was confirmed in an earlier opening', async () => {
  const request = pending();
  const { user } = renderPart(<Row onConfirm={() => request.promise} />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(await confirmButton());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(dialog()).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  request.succeed();
  await request.promise;
  expect(await confirmButton()).not.toHaveAttribute('aria-disabled');
  expect(dialog()).toBeInTheDocument();
});

it('leaves the keyboard in the page where its opener is gone', async () => {
  function Vanishing() {
    const [isGone, setIsGone] = useState(false);
    const [isOpen, opening] = useDisclosure(false);
    return (
      <>
        {isGone ? null : (
          <button type="button" onClick={opening.open}>
            Delete
          </button>
        )}
        <ConfirmDialog
          opened={isOpen}
          onClose={opening.close}
          title="Delete it?"
          confirmLabel="Delete Rowing Club"
          onConfirm={() => setIsGone(true)}
        >
          It is gone then.
        </ConfirmDialog>
      </>
    );
  }
  const { user } = renderPart(<Vanishing />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(await confirmButton());
  await waitFor(() => expect(dialog()).not.toBeInTheDocument());
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(screen.getByRole('main')).toHaveFocus();
});

it('takes a name with the signs that a keyboard has, and says where it differs', async () => {
  const onConfirm = vi.fn(() => Promise.resolve());
  const { user } = renderPart(
    <ConfirmDialog
      opened
      onClose={() => {}}
      title="Delete it?"
      confirmLabel="Delete Meeting"
      nameToType="Owners’ “spring” meeting – 2026"
      onConfirm={onConfirm}
    >
      It is gone then.
    </ConfirmDialog>,
  );
  const field = await screen.findByLabelText(/^Type “Owners’/);
  const button = screen.getByRole('button', { name: 'Delete Meeting' });
  await user.type(field, 'owners');
  expect(field).toHaveAccessibleDescription(/^This differs from “Owners’ “spring” meeting – 2026”\./);
  expect(button).toBeDisabled();
  await user.clear(field);
  await user.type(field, `Owners' "spring"`);
  expect(field).toBeValid();
  expect(button).toBeDisabled();
  await user.type(field, '  meeting - 2026 ');
  await user.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});
