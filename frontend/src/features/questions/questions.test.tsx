import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEST_MEETING } from '../../shared/test-data';
import { clientAdmin } from '../../test/people';
import { arrangeQuestions, given } from '../../test/questions-fixture';
import { renderApp } from '../../test/render-app';
import { sampleMeeting, sampleQuestion } from '../../test/samples';
import { http, server } from '../../test/server';

beforeEach(arrangeQuestions);

it('lists the questions in order with the first options', async () => {
  const options = ['Tomas', 'Ines', 'Georg', 'Aiko', 'Lea'].map((text, position) => ({
    id: text,
    text,
    position,
    role: 'choice' as const,
  }));
  given.questions = [
    sampleQuestion(),
    sampleQuestion({
      id: 'q2',
      questionText: 'Who shall join the board?',
      questionType: 'MULTIPLE_CHOICE',
      optionsList: options,
      orderIndex: 2,
    }),
    sampleQuestion({
      id: 'q3',
      questionText: 'How was it?',
      questionType: 'RATING',
      optionsList: [],
      ratingMax: 10,
      orderIndex: 3,
    }),
  ];
  await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  expect(await screen.findByText('Budget meeting')).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'All Questions (3)' })).toBeInTheDocument();
  const board = within(screen.getByRole('row', { name: /board/ }));
  expect(board.getByText('+2 more')).toBeInTheDocument();
  expect(board.getAllByRole('listitem')[0]).toHaveTextContent('A. Tomas');
  expect(within(screen.getByRole('row', { name: /approve/ })).getAllByRole('listitem')[0]).toHaveTextContent(
    '1. Yes',
  );
  expect(within(screen.getByRole('row', { name: /How was it/ })).getByText('No options')).toBeInTheDocument();
});

it('says what to do when there is no question yet', async () => {
  await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  expect(await screen.findByText('No questions added yet')).toBeInTheDocument();
  expect(screen.getByText('Add your first question to get started')).toBeInTheDocument();
});

it('marks a meeting that is test data', async () => {
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) =>
      response(200).json(sampleMeeting({ title: 'TEST_Assembly', isTest: true })),
    ),
  );
  await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  expect(await screen.findByText(TEST_MEETING)).toBeInTheDocument();
});

it('says that a meeting does not exist', async () => {
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) =>
      response(404).json({ error: 'x', message: 'x', code: 'meeting_not_found' }),
    ),
  );
  await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
  expect(await screen.findByText('Meeting not found')).toBeInTheDocument();
});

describe('moving a question', () => {
  let orders: string[][];
  /** The server answers once this is called. */
  let answer: () => void;
  let answered: Promise<void>;

  beforeEach(() => {
    orders = [];
    answered = new Promise((resolve) => {
      answer = resolve;
    });
    given.questions = ['One', 'Two', 'Three'].map((questionText, index) =>
      sampleQuestion({ id: questionText, questionText, orderIndex: index + 1 }),
    );
    server.use(
      http.put('/client/questions/meeting/{meetingId}/reorder', async ({ request, response }) => {
        const { questionOrders } = await request.json();
        await answered;
        orders.push(questionOrders.map(({ questionId, orderIndex }) => `${orderIndex} ${questionId}`));
        given.questions = questionOrders.map(({ questionId, orderIndex }) =>
          sampleQuestion({ id: questionId, questionText: questionId, orderIndex }),
        );
        return response(200).json(given.questions);
      }),
    );
  });

  async function openPage() {
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    await screen.findByRole('row', { name: /Three/ });
    return { user };
  }

  const shown = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(0, 2)
          .map(({ textContent }) => textContent)
          .join(' '),
      );
  const button = (question: string, name: string) =>
    within(screen.getByRole('row', { name: new RegExp(question) })).getByRole('button', { name });

  it('does nothing up from the first row, or down from the last', async () => {
    const { user } = await openPage();
    expect(button('One', 'Move up')).toHaveAttribute('aria-disabled', 'true');
    expect(button('Three', 'Move down')).toHaveAttribute('aria-disabled', 'true');
    await user.click(button('One', 'Move up'));
    await user.click(button('Three', 'Move down'));
    expect(shown()).toEqual(['1 One', '2 Two', '3 Three']);
    expect(orders).toEqual([]);
  });

  it('is shown at once and sent as the whole agenda', async () => {
    const { user } = await openPage();
    await user.click(button('One', 'Move down'));
    await waitFor(() => expect(shown()).toEqual(['1 Two', '2 One', '3 Three']));
    expect(orders).toEqual([]);
    answer();
    expect(await screen.findByText('Question moved down')).toBeInTheDocument();
    expect(orders).toEqual([['1 Two', '2 One', '3 Three']]);
  });

  /** jsdom has no layout: the pointer is over this row. */
  const pointAt = (row: Element | null) => {
    document.elementFromPoint = () => row;
  };
  const dragFrom = (index: number) => {
    const handle = screen.getAllByTitle('Drag to another place')[index] as HTMLElement;
    handle.setPointerCapture = () => undefined;
    fireEvent.pointerDown(handle, { button: 0, isPrimary: true, pointerId: 1 });
    return handle;
  };

  it.each(['mouse', 'touch'])(
    'is dragged to the place of another row with a pointer: %s',
    async (pointerType) => {
      await openPage();
      const target = screen.getByRole('row', { name: /Three/ });
      pointAt(target);
      const handle = dragFrom(0);
      fireEvent.pointerMove(handle, { pointerId: 1, pointerType });
      expect(target).toHaveAttribute('data-drop', 'after');
      fireEvent.pointerUp(handle, { pointerId: 1, pointerType });
      await waitFor(() => expect(shown()).toEqual(['1 Two', '2 Three', '3 One']));
      answer();
      expect(await screen.findByText('Question moved down')).toBeInTheDocument();
      expect(orders).toEqual([['1 Two', '2 Three', '3 One']]);
    },
  );

  it('stays where it is when it is dropped elsewhere, with Escape, and when the browser takes the pointer', async () => {
    const { user } = await openPage();
    pointAt(document.body);
    fireEvent.pointerUp(dragFrom(0), { pointerId: 1 });
    pointAt(screen.getByRole('row', { name: /Three/ }));
    const escaped = dragFrom(0);
    await user.keyboard('{Escape}');
    fireEvent.pointerUp(escaped, { pointerId: 1 });
    const taken = dragFrom(0);
    fireEvent.pointerCancel(taken, { pointerId: 1 });
    fireEvent.pointerUp(taken, { pointerId: 1 });
    expect(shown()).toEqual(['1 One', '2 Two', '3 Three']);
    expect(orders).toEqual([]);
  });

  it('goes on by keyboard with the focus on the moved row, one request after the other', async () => {
    const { user } = await openPage();
    button('Three', 'Move up').focus();
    await user.keyboard('{Enter}{Enter}{Enter}');
    await waitFor(() => expect(shown()).toEqual(['1 Three', '2 One', '3 Two']));
    expect(button('Three', 'Move up')).toHaveFocus();
    expect(orders).toEqual([]);
    answer();
    await waitFor(() =>
      expect(orders).toEqual([
        ['1 One', '2 Three', '3 Two'],
        ['1 Three', '2 One', '3 Two'],
      ]),
    );
    expect(await screen.findByText('Question moved up')).toBeInTheDocument();
    expect(button('Three', 'Move up')).toHaveFocus();
  });

  it('puts the list back when it fails, and drops what was built on it', async () => {
    let requests = 0;
    server.use(
      http.put('/client/questions/meeting/{meetingId}/reorder', async () => {
        requests += 1;
        await answered;
        return HttpResponse.error();
      }),
    );
    const { user } = await openPage();
    await user.click(button('Three', 'Move up'));
    await user.click(button('Three', 'Move up'));
    await waitFor(() => expect(shown()).toEqual(['1 Three', '2 One', '3 Two']));
    answer();
    expect(
      await screen.findByText('Failed to reorder question: the server could not be reached'),
    ).toBeInTheDocument();
    await waitFor(() => expect(shown()).toEqual(['1 One', '2 Two', '3 Three']));
    expect(requests).toBe(1);
    expect(screen.queryByText('Question moved up')).not.toBeInTheDocument();
  });

  it('shows the words of the server', async () => {
    server.use(
      http.put('/client/questions/meeting/{meetingId}/reorder', ({ response }) =>
        response(404).json({ error: 'The meeting does not exist', message: 'x', code: 'meeting_not_found' }),
      ),
    );
    const { user } = await openPage();
    await user.click(button('One', 'Move down'));
    expect(await screen.findByText('The meeting does not exist')).toBeInTheDocument();
  });

  it('loads the agenda again when somebody else has changed it', async () => {
    server.use(
      http.put('/client/questions/meeting/{meetingId}/reorder', ({ response }) => {
        given.questions = [
          ...given.questions,
          sampleQuestion({ id: 'Four', questionText: 'Four', orderIndex: 4 }),
        ];
        return response(422).json({
          error: 'questionOrders must name every question of the meeting, and no other.',
          message: 'x',
          code: 'invalid_input',
          fields: { questionOrders: ['Must name every question of the meeting, and no other.'] },
        });
      }),
    );
    const { user } = await openPage();
    await user.click(button('One', 'Move down'));
    expect(await screen.findByText(/Failed to reorder question: somebody else/)).toBeInTheDocument();
    await waitFor(() => expect(shown()).toEqual(['1 One', '2 Two', '3 Three', '4 Four']));
  });
});

describe('copying a question', () => {
  beforeEach(() => {
    given.questions = [sampleQuestion()];
  });

  it('makes one copy for two clicks', async () => {
    let copies = 0;
    server.use(
      http.post('/client/questions/{questionId}/duplicate', async ({ response }) => {
        copies += 1;
        await delay(50);
        given.questions = [sampleQuestion(), sampleQuestion({ id: 'copy', orderIndex: 2 })];
        return response(201).json(sampleQuestion({ id: 'copy', orderIndex: 2 }));
      }),
    );
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    await user.dblClick(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Question duplicated successfully')).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'All Questions (2)' })).toBeInTheDocument();
    expect(copies).toBe(1);
  });

  it('can be repeated as soon as it failed, however long the agenda takes', async () => {
    let copies = 0;
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    const copy = await screen.findByRole('button', { name: 'Copy' });
    server.use(
      http.get('/client/questions/meeting/{meetingId}', () => delay('infinite')),
      http.post('/client/questions/{questionId}/duplicate', () => {
        copies += 1;
        return HttpResponse.error();
      }),
    );
    await user.click(copy);
    expect(await screen.findByText(/Failed to duplicate question/)).toBeInTheDocument();
    await user.click(copy);
    await waitFor(() => expect(copies).toBe(2));
  });

  it('says why it was refused', async () => {
    server.use(
      http.post('/client/questions/{questionId}/duplicate', ({ response }) =>
        response(409).json({
          error: 'The meeting has the most questions that an agenda can hold',
          message: 'x',
          code: 'agenda_full',
        }),
      ),
    );
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(
      await screen.findByText('The meeting has the most questions that an agenda can hold'),
    ).toBeInTheDocument();
  });

  it('has words of its own where the server has none', async () => {
    server.use(
      http.untyped.post(
        '*/api/client/questions/:id/duplicate',
        () => new HttpResponse(null, { status: 500 }),
      ),
    );
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Failed to duplicate question')).toBeInTheDocument();
  });
});

describe('deleting a question', () => {
  async function openDialog() {
    given.questions = [sampleQuestion()];
    const { user } = await renderApp('/client/meetings/m1/questions', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Del' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this question?' }));
    const confirm = () => user.click(dialog.getByRole('button', { name: 'Delete Question' }));
    return { user, dialog, confirm };
  }

  it('is asked about first', async () => {
    server.use(
      http.delete('/client/questions/{questionId}', ({ response }) => {
        given.questions = [];
        return response(200).json({ success: true });
      }),
    );
    const { dialog, confirm } = await openDialog();
    expect(
      dialog.getByText('Are you sure you want to delete this question? This action cannot be undone.'),
    ).toBeInTheDocument();
    expect(dialog.getByText('“Do you approve the accounts?”')).toBeInTheDocument();
    await confirm();
    expect(await screen.findByText('Question deleted successfully')).toBeInTheDocument();
    expect(await screen.findByText('No questions added yet')).toBeInTheDocument();
  });

  it('is called off by Cancel', async () => {
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Del' })).toHaveFocus());
  });

  it('says that there are votes, and is over with that', async () => {
    const frozen = 'This question has votes, so it can be neither changed nor deleted; copy it instead';
    server.use(
      http.delete('/client/questions/{questionId}', ({ response }) =>
        response(409).json({ error: frozen, message: frozen, code: 'question_has_votes' }),
      ),
    );
    const { confirm } = await openDialog();
    await confirm();
    expect(await screen.findByText(frozen)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('heading', { name: 'All Questions (1)' })).toBeInTheDocument();
  });

  it('can be tried again when the server could not be reached', async () => {
    server.use(http.delete('/client/questions/{questionId}', () => HttpResponse.error()));
    const { dialog, confirm } = await openDialog();
    await confirm();
    expect(
      await screen.findByText('Failed to delete question: the server could not be reached'),
    ).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Delete Question' })).toBeInTheDocument();
  });
});
