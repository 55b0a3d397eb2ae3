import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clientAdmin } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { sampleMeeting, sampleQuestion } from '../../../test/samples';
import { http, server } from '../../../test/server';

beforeEach(() => {
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) =>
      response(200).json(sampleMeeting({ title: 'Assembly' })),
    ),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) =>
      response(200).json([sampleQuestion()]),
    ),
  );
});

async function openForm() {
  const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Add Question' }));
  const dialog = within(await screen.findByRole('dialog'));
  return { user, dialog };
}

const screens = async () => {
  const [presentation, phone] = await waitFor(() => {
    const figures = [...document.querySelectorAll('figure')];
    expect(figures).toHaveLength(2);
    return figures as [HTMLElement, HTMLElement];
  });
  return { presentation, phone };
};

describe('the preview beside the form', () => {
  it('shows what the presentation and a phone will show, as it is typed', async () => {
    const { user, dialog } = await openForm();
    const { presentation, phone } = await screens();
    expect(presentation).toHaveTextContent('On the presentation');
    expect(phone).toHaveTextContent('On a voter’s phone');
    expect(phone).toHaveTextContent('Your question');
    await user.type(dialog.getByLabelText('Question Text'), 'Paint the roof?');
    await waitFor(() => expect(phone).toHaveTextContent('Question 2Single ChoicePaint the roof?YesNo'));
    expect(presentation).toHaveTextContent('Assembly');
    expect(presentation).toHaveTextContent('Question 2 of 2');
    expect(presentation).toHaveTextContent('Paint the roof?');
    await user.selectOptions(dialog.getByLabelText('Question Type'), 'Multiple Choice');
    await user.clear(dialog.getByLabelText('Option 2'));
    await user.type(dialog.getByLabelText('Maximum choices per voter'), '1');
    await waitFor(() => expect(phone).toHaveTextContent('Choose one answer.Option 1Option 3'));
    expect(presentation).not.toHaveTextContent('Option 2');
    await user.selectOptions(dialog.getByLabelText('Question Type'), 'Rating (1-5 Stars)');
    await waitFor(() => expect(presentation).toHaveTextContent('Rate from 1 to 5'));
  });

  it('says on the phone that a vote is named', async () => {
    const { user, dialog } = await openForm();
    const { phone } = await screens();
    await user.click(dialog.getByRole('button', { name: /^Decision:/ }));
    await user.click(dialog.getByRole('radio', { name: 'Named' }));
    await waitFor(() => expect(phone).toHaveTextContent('This is a named vote.'));
  });

  it('cannot be used, and has no part in the dialog', async () => {
    const { user, dialog } = await openForm();
    const { phone } = await screens();
    expect(within(phone).queryAllByRole('radio')).toEqual([]);
    for (const input of phone.querySelectorAll('input')) {
      expect(input.closest('[inert]')).not.toBeNull();
      expect(input.closest('[aria-hidden="true"]')).not.toBeNull();
    }
    expect(screen.getByRole('dialog')).not.toContainElement(phone);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.querySelector('figure')).toBeNull());
  });
});

describe('the preview on a phone', () => {
  it('is behind a tab, and a refused form comes back to its fields', async () => {
    const wide = window.matchMedia;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
      ...wide(query),
      matches: query === '(max-width: 64em)',
    }));
    const { user, dialog } = await openForm();
    expect(document.querySelector('figure')).toBeNull();
    await user.click(dialog.getByRole('radio', { name: 'Preview' }));
    const { phone } = await screens();
    expect(screen.getByRole('dialog')).toContainElement(phone);
    expect(dialog.getByLabelText('Question Text')).not.toBeVisible();
    await act(() => user.click(dialog.getByRole('button', { name: 'Create Question' })));
    await waitFor(() => expect(dialog.getByLabelText('Question Text')).toHaveFocus());
    expect(document.querySelector('figure')).toBeNull();
    vi.restoreAllMocks();
  });
});
