import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render-part';
import { type RowAction, RowActions } from './row-actions';

const icon = () => null;

afterEach(() => vi.restoreAllMocks());

function actionsOf(...labels: string[]): RowAction[] {
  return labels.map((label) => ({ label, icon, onClick: vi.fn() }));
}

it('shows up to two as buttons that name the row', async () => {
  const actions = actionsOf('Edit', 'Delete');
  const { user } = renderPart(<RowActions name="Rowing Club" actions={actions} />);
  await user.click(screen.getByRole('button', { name: 'Delete Rowing Club' }));
  expect(actions[1]?.onClick).toHaveBeenCalledOnce();
  expect(actions[0]?.onClick).not.toHaveBeenCalled();
});

it('puts them in a menu on phones, where rows are cards', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...window.matchMedia(''), matches: true });
  const actions = actionsOf('Edit', 'Delete');
  const { user } = renderPart(<RowActions name="Rowing Club" actions={actions} />);
  expect(screen.queryByRole('button', { name: 'Delete Rowing Club' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Actions for Rowing Club' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  expect(actions[1]?.onClick).toHaveBeenCalledOnce();
});

it('puts more of them in a menu that names the row, and works by keyboard', async () => {
  const actions = actionsOf('Edit', 'Export', 'Delete');
  const { user } = renderPart(<RowActions name="Vera Lind" actions={actions} />);
  await user.tab();
  const opener = screen.getByRole('button', { name: 'Actions for Vera Lind' });
  expect(opener).toHaveFocus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Edit' })).toHaveFocus());
  await user.keyboard('{ArrowDown}{Enter}');
  expect(actions[1]?.onClick).toHaveBeenCalledOnce();
  // The focus when a dialog opens, which is also where it returns.
  expect(screen.getByRole('button', { name: 'Actions for Vera Lind' })).toHaveFocus();
});

it('closes its menu by Escape, with nothing done', async () => {
  const actions = actionsOf('Edit', 'Export', 'Delete');
  const { user } = renderPart(<RowActions name="Vera Lind" actions={actions} />);
  await user.click(screen.getByRole('button', { name: 'Actions for Vera Lind' }));
  await screen.findByRole('menuitem', { name: 'Edit' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menuitem')).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: 'Actions for Vera Lind' })).toHaveFocus();
  for (const { onClick } of actions) {
    expect(onClick).not.toHaveBeenCalled();
  }
});

it.each([1, 3])('says why something cannot be done, among %d', async (count) => {
  const onClick = vi.fn();
  const refused = { label: 'Delete', icon, onClick, refusal: 'End the meeting first' };
  const others = actionsOf('Edit', 'Copy').slice(0, count - 1);
  const { user } = renderPart(<RowActions name="Assembly" actions={[...others, refused]} />);
  if (count > 2) {
    await user.click(screen.getByRole('button', { name: 'Actions for Assembly' }));
    const item = await screen.findByRole('menuitem', { name: /Delete.*End the meeting first/ });
    expect(item).toHaveAttribute('aria-disabled', 'true');
    await user.click(item);
  } else {
    const button = screen.getByRole('button', { name: 'Delete Assembly' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription('End the meeting first');
    await user.click(button);
  }
  expect(onClick).not.toHaveBeenCalled();
});
