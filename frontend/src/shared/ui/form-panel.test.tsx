import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { Providers } from '../../app/providers';
import { createQueryClient } from '../../app/query-client';
import { FormPanel } from './form-panel';
import { PanelForm } from './panel-form';

const handleSave = vi.fn();
/** Answers the last request. */
let answer = () => {};

function NameForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ initialValues: { name: 'Anna' } });
  const [isBusy, setIsBusy] = useState(false);
  return (
    <PanelForm
      onSubmit={form.onSubmit(({ name }) => {
        handleSave(name);
        // As with a request, the busy state is set a moment later.
        window.setTimeout(() => setIsBusy(true));
        answer = onDone;
      })}
      submitLabel="Save"
      busyLabel="Saving..."
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={null}
    >
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
    </PanelForm>
  );
}

function Screen() {
  const [isOpen, panel] = useDisclosure(false);
  return (
    <main id="main" tabIndex={-1}>
      <button type="button" onClick={panel.open}>
        Edit
      </button>
      <Link to="/elsewhere">Elsewhere</Link>
      <FormPanel opened={isOpen} onClose={panel.close} title="Edit name">
        <NameForm onDone={panel.close} />
      </FormPanel>
    </main>
  );
}

async function openPanel() {
  handleSave.mockReset();
  const router = createMemoryRouter(
    [
      { path: '/', element: <Screen /> },
      { path: '/elsewhere', element: <p>Elsewhere it is</p> },
    ],
    { initialEntries: ['/elsewhere', '/'], initialIndex: 1 },
  );
  const { baseElement } = render(
    <Providers queryClient={createQueryClient()} env="test">
      <RouterProvider router={router} />
    </Providers>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const name = await screen.findByLabelText('Name');
  await waitFor(() => expect(name).toHaveFocus());
  return {
    user,
    name,
    router,
    clickOutside: () => user.click(baseElement.querySelector('.mantine-Drawer-overlay') as Element),
    follow: () => act(() => router.navigate('/elsewhere')),
    goBack: () => act(() => router.navigate(-1)),
  };
}

const panel = () => screen.queryByRole('dialog', { name: 'Edit name' });
const question = () => screen.findByRole('dialog', { name: 'Discard your changes?' });

describe('a panel in which nothing was changed', () => {
  it.each([
    ['Escape', ({ user }) => user.keyboard('{Escape}')],
    ['Cancel', ({ user }) => user.click(screen.getByRole('button', { name: 'Cancel' }))],
    ['the cross', ({ user }) => user.click(screen.getByRole('button', { name: 'Close' }))],
    ['a click outside', ({ clickOutside }) => clickOutside()],
  ] as [string, (opened: Awaited<ReturnType<typeof openPanel>>) => Promise<void>][])(
    'is closed by %s at once, and its opener has the focus again',
    async (_, leave) => {
      await leave(await openPanel());
      await waitFor(() => expect(panel()).not.toBeInTheDocument());
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
      await waitFor(() => expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus());
    },
  );

  it('lets people go elsewhere', async () => {
    const { follow } = await openPanel();
    await follow();
    expect(await screen.findByText('Elsewhere it is')).toBeInTheDocument();
  });

  it('asks nothing either where a change was taken back', async () => {
    const { user } = await openPanel();
    await user.keyboard('x{Backspace}{Escape}');
    await waitFor(() => expect(panel()).not.toBeInTheDocument());
  });
});

describe('a panel with changes', () => {
  it.each([
    ['Escape', ({ user }) => user.keyboard('{Escape}')],
    ['Cancel', ({ user }) => user.click(screen.getByRole('button', { name: 'Cancel' }))],
    ['the cross', ({ user }) => user.click(screen.getByRole('button', { name: 'Close' }))],
    ['a click outside', ({ clickOutside }) => clickOutside()],
    ['a link', ({ follow }) => follow()],
    ['"back"', ({ goBack }) => goBack()],
  ] as [string, (opened: Awaited<ReturnType<typeof openPanel>>) => Promise<void>][])(
    'asks before %s closes it, and keeps what was typed',
    async (_, leave) => {
      const opened = await openPanel();
      await opened.user.keyboard(' Berg');
      await leave(opened);
      await opened.user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
      await waitFor(() =>
        expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).not.toBeInTheDocument(),
      );
      expect(opened.name).toHaveValue('Anna Berg');
      expect(screen.queryByText('Elsewhere it is')).not.toBeInTheDocument();
      // Leaving asks again.
      await leave(opened);
      await opened.user.click(within(await question()).getByRole('button', { name: 'Discard changes' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
      expect(handleSave).not.toHaveBeenCalled();
    },
  );

  it('asks also where "back" follows at once on the first letter', async () => {
    const { name, router } = await openPanel();
    // As in a browser: React's effects may not have run yet.
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(name, 'Berta');
    name.dispatchEvent(new Event('input', { bubbles: true }));
    void router.navigate(-1);
    vi.unstubAllGlobals();
    expect(await question()).toBeInTheDocument();
    expect(name).toHaveValue('Berta');
  });

  it('is left for where one was going', async () => {
    const { user, follow } = await openPanel();
    await user.keyboard(' Berg');
    await follow();
    await user.click(within(await question()).getByRole('button', { name: 'Discard changes' }));
    expect(await screen.findByText('Elsewhere it is')).toBeInTheDocument();
  });

  it('is there again after Escape at the question, with the focus in the field', async () => {
    const { user, name } = await openPanel();
    await user.keyboard(' Berg{Escape}');
    await question();
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).not.toBeInTheDocument(),
    );
    expect(panel()).toBeInTheDocument();
    await waitFor(() => expect(name).toHaveFocus());
  });

  it('lets the browser ask before a reload', async () => {
    const { user } = await openPanel();
    const calm = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(calm);
    expect(calm.defaultPrevented).toBe(false);
    await user.keyboard(' Berg');
    const warned = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(warned);
    expect(warned.defaultPrevented).toBe(true);
  });

  it('asks nothing once it is saved', async () => {
    const { user, follow } = await openPanel();
    await user.keyboard(' Berg{Enter}');
    expect(handleSave).toHaveBeenCalledWith('Anna Berg');
    act(() => answer());
    await waitFor(() => expect(panel()).not.toBeInTheDocument());
    await follow();
    expect(await screen.findByText('Elsewhere it is')).toBeInTheDocument();
  });

  it('withdraws the question when saving succeeds meanwhile', async () => {
    const { user } = await openPanel();
    await user.keyboard(' Berg{Enter}{Escape}');
    await question();
    act(() => answer());
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.type(await screen.findByLabelText('Name'), '!');
    expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).not.toBeInTheDocument();
  });

  it('asks again before "back" after a question that was withdrawn', async () => {
    const { user, name, goBack } = await openPanel();
    await user.keyboard(' Berg');
    await goBack();
    await question();
    // As when a request fails whose success would have been lost.
    fireEvent.change(name, { target: { value: 'Anna' } });
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).not.toBeInTheDocument(),
    );
    expect(panel()).toBeInTheDocument();
    fireEvent.change(name, { target: { value: 'Anna Berg' } });
    await goBack();
    await user.click(within(await question()).getByRole('button', { name: 'Discard changes' }));
    expect(await screen.findByText('Elsewhere it is')).toBeInTheDocument();
  });
});

it('sends once, however fast it is clicked', async () => {
  const { user, name } = await openPanel();
  await user.type(name, ' Berg');
  const form = name.closest('form') as HTMLFormElement;
  act(() => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await user.dblClick(screen.getByRole('button', { name: /^Sav/ }));
  expect(handleSave).toHaveBeenCalledOnce();
});
