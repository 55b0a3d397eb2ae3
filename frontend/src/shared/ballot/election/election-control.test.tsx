import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import {
  ballotCandidate,
  electionPaper,
  electionQuestion,
  rankingPaper,
} from '../../../test/election-samples';
import { renderPart } from '../../../test/render-part';
import type { ElectionPaper } from '../../elections/election-types';
import { ElectionControl } from './election-control';

function Ballot({ election, start = [] }: { election: ElectionPaper; start?: string[] }) {
  const [answers, setAnswers] = useState(start);
  return (
    <>
      <p id="title">Who joins the board?</p>
      <ElectionControl
        question={electionQuestion(election)}
        election={election}
        answers={answers}
        isDisabled={false}
        labelledBy="title"
        describedBy={undefined}
        onChange={setAnswers}
      />
      <p data-testid="answers">{answers.join(' ')}</p>
    </>
  );
}

function arrange(election: ElectionPaper, start?: string[]) {
  const user = userEvent.setup();
  renderPart(<Ballot election={election} {...(start ? { start } : {})} />);
  return {
    user,
    tap: (name: string | RegExp) => user.click(screen.getByRole('checkbox', { name })),
    press: (name: string | RegExp) => user.click(screen.getByRole('button', { name })),
    choose: (name: string | RegExp) => user.click(screen.getByRole('radio', { name })),
  };
}

const sent = () => screen.getByTestId('answers').textContent;
const status = () => screen.getByRole('status');

describe('a ranking', () => {
  it('takes the candidates in the order of the taps, and says each choice', async () => {
    const { tap } = arrange(rankingPaper(40));
    expect(screen.getAllByRole('checkbox')).toHaveLength(41);
    expect(status()).toHaveTextContent('0 of 40 ranked, 40 left.');
    await tap('Imani Okoye');
    await tap('Nadia Brandt');
    expect(status()).toHaveTextContent('Nadia Brandt is your choice 2 of 40. 2 of 40 ranked, 38 left.');
    expect(screen.getByRole('checkbox', { name: 'Nadia Brandt, choice 2' })).toBeChecked();
    expect(sent()).toBe('1:3 2:1');
    await tap('Imani Okoye, choice 1');
    expect(sent()).toBe('1:1');
    expect(status()).toHaveTextContent('Imani Okoye is no longer ranked. 1 of 40 ranked, 39 left.');
  });

  it('is changed by dragging an item to the place of another one', () => {
    arrange(rankingPaper(4), ['1:1', '2:2', '3:3']);
    const items = within(screen.getByRole('region', { name: 'Your ranking' })).getAllByRole('listitem');
    // jsdom has no layout: the pointer is over the first item.
    document.elementFromPoint = () => items[0] ?? null;
    const handle = screen.getAllByTitle('Drag to another place')[2] as HTMLElement;
    handle.setPointerCapture = () => undefined;
    fireEvent.pointerDown(handle, { button: 0, isPrimary: true, pointerId: 1 });
    fireEvent.pointerMove(handle, { pointerId: 1 });
    expect(items[0]).toHaveAttribute('data-drop', 'before');
    fireEvent.pointerUp(handle, { pointerId: 1 });
    expect(sent()).toBe('1:3 2:1 3:2');
    expect(status()).toHaveTextContent('Imani Okoye is now your choice 1 of 4.');
  });

  it('is changed by buttons, which keep the focus', async () => {
    const { press } = arrange(rankingPaper(4), ['1:1', '2:2', '3:3']);
    const ranking = within(screen.getByRole('region', { name: 'Your ranking' }));
    await press('Move Imani Okoye up');
    expect(sent()).toBe('1:1 2:3 3:2');
    expect(status()).toHaveTextContent('Imani Okoye is now your choice 2 of 4.');
    expect(ranking.getByRole('button', { name: 'Move Imani Okoye up' })).toHaveFocus();
    await press('Move Imani Okoye up');
    expect(sent()).toBe('1:3 2:1 3:2');
    // At the top, the button stays where it is, and does nothing.
    const up = ranking.getByRole('button', { name: 'Move Imani Okoye up' });
    expect(up).toHaveFocus();
    expect(up).toHaveAttribute('aria-disabled', 'true');
    await press('Move Imani Okoye up');
    expect(sent()).toBe('1:3 2:1 3:2');
    await press('Move Imani Okoye down');
    await press('Remove Imani Okoye from the ranking');
    expect(sent()).toBe('1:1 2:2');
    expect(ranking.getByRole('button', { name: 'Remove Tomas Weller from the ranking' })).toHaveFocus();
  });

  it('works by keyboard alone', async () => {
    const { user } = arrange(rankingPaper(4));
    await user.tab();
    expect(screen.getByRole('checkbox', { name: 'Nadia Brandt' })).toHaveFocus();
    await user.tab();
    await user.keyboard(' ');
    expect(sent()).toBe('1:2');
    expect(screen.getByRole('checkbox', { name: 'Tomas Weller, choice 1' })).toHaveFocus();
    await user.tab();
    await user.keyboard(' ');
    expect(sent()).toBe('1:2 2:3');
  });

  it('has equal ranks only where they are allowed', async () => {
    const { press } = arrange(rankingPaper(4, { allowsEqual: true }), ['1:1', '2:2']);
    expect(screen.queryByRole('button', { name: 'Same rank as the one before: Nadia Brandt' })).toBeNull();
    await press('Same rank as the one before: Tomas Weller');
    expect(sent()).toBe('1:1 1:2');
    expect(status()).toHaveTextContent('Tomas Weller has the same rank as the one before: 1.');
    expect(screen.getByRole('button', { name: 'Same rank as the one before: Tomas Weller' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  it('has none where they are not', () => {
    arrange(rankingPaper(4), ['1:1', '2:2']);
    expect(screen.queryByRole('button', { name: /^Same rank/ })).toBeNull();
  });

  it('ends at the most ranks, and says what to do', async () => {
    const { tap } = arrange(rankingPaper(4, { most: 1 }));
    await tap('Tomas Weller');
    expect(screen.getByRole('checkbox', { name: 'Nadia Brandt' })).toBeDisabled();
    expect(status()).toHaveTextContent('1 of at most 1 ranked, 0 left. To rank another, take one out first.');
  });
});

describe('choices', () => {
  it('end at the limit, in the order of the ballot', async () => {
    const { tap } = arrange(electionPaper());
    expect(status()).toHaveTextContent('Choose up to 2 candidates.');
    await tap('Imani Okoye');
    await tap('Nadia Brandt');
    expect(sent()).toBe('1 3');
    expect(screen.getByRole('checkbox', { name: 'Tomas Weller' })).toBeDisabled();
    expect(status()).toHaveTextContent('2 of 2 chosen, 0 left. To choose another, clear one first.');
  });

  it('name no number where there are no candidates yet', () => {
    arrange(electionPaper({ candidates: [] }));
    expect(status()).toHaveTextContent('No candidates yet.');
  });

  it('say how many may be chosen where that is all of them', async () => {
    const candidates = [1, 2].map((number) => ballotCandidate(number));
    const { tap } = arrange(electionPaper({ candidates }));
    expect(status()).toHaveTextContent('Choose up to 2 candidates.');
    await tap('Nadia Brandt');
    expect(status()).toHaveTextContent('1 of 2 chosen.');
  });

  it('say how many are missing', async () => {
    const { tap } = arrange(electionPaper({ least: 2 }));
    await tap('Nadia Brandt');
    expect(status()).toHaveTextContent('Choose at least 2 candidates. You have chosen 1.');
  });

  it('have none of the above alone, and say what it clears', async () => {
    const { tap } = arrange(electionPaper({ noneOfTheAbove: 5 }), ['1', '2']);
    await tap('None of the above');
    expect(sent()).toBe('5');
    expect(status()).toHaveTextContent('It cannot be combined, so your other choices are cleared.');
    await tap('Imani Okoye');
    expect(sent()).toBe('3');
    expect(status()).toHaveTextContent('Imani Okoye is chosen. None of the above is cleared.');
  });
});

describe('answers', () => {
  it('are one of three for each candidate, and are counted', async () => {
    const { user } = arrange(electionPaper({ method: 'per_candidate', marks: 'answers', most: null }));
    const nadia = within(screen.getByRole('radiogroup', { name: 'Nadia Brandt' }));
    const lea = within(screen.getByRole('radiogroup', { name: 'Lea Fontaine' }));
    await user.click(lea.getByRole('radio', { name: 'No' }));
    await user.click(nadia.getByRole('radio', { name: 'Yes' }));
    expect(sent()).toBe('1=yes 4=no');
    expect(status()).toHaveTextContent('Nadia Brandt: yes. 2 of 4 answered, 2 left.');
    await user.click(nadia.getByRole('radio', { name: 'Abstain' }));
    expect(sent()).toBe('1=abstain 4=no');
  });

  it('are counted without the one for none of the above, which nobody has to give', () => {
    arrange(
      electionPaper({ method: 'per_candidate', marks: 'answers', least: 4, most: null, noneOfTheAbove: 5 }),
      ['1=yes', '2=no', '3=no', '5=no'],
    );
    expect(status()).toHaveTextContent(
      '3 of 4 answered, 1 left. Answer for each candidate. You have answered 3.',
    );
  });
});

describe('points', () => {
  it('of a cumulative ballot share a sum', async () => {
    const { press } = arrange(
      electionPaper({ method: 'cumulative', marks: 'points', most: null, votes: 3, mostForOne: 2 }),
    );
    expect(status()).toHaveTextContent('3 of 3 votes left. At most 2 for one candidate.');
    await press('One vote more for Nadia Brandt');
    await press('One vote more for Nadia Brandt');
    expect(sent()).toBe('1=2');
    expect(screen.getByRole('button', { name: 'One vote more for Nadia Brandt' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await press('One vote more for Nadia Brandt');
    await press('One vote more for Lea Fontaine');
    expect(sent()).toBe('1=2 4=1');
    expect(status()).toHaveTextContent('Lea Fontaine has 1 vote. 0 of 3 votes left.');
    await press('One vote more for Tomas Weller');
    expect(sent()).toBe('1=2 4=1');
    await press('One vote less for Lea Fontaine');
    expect(sent()).toBe('1=2');
  });

  it('of a score ballot can be 0, which is no mark', async () => {
    const { press } = arrange(electionPaper({ method: 'score', marks: 'points', most: null, mostForOne: 5 }));
    await press('One point more for Nadia Brandt');
    await press('One point less for Nadia Brandt');
    expect(sent()).toBe('1=0');
    expect(status()).toHaveTextContent('Nadia Brandt has 0 points. 0 of 4 have points');
    await press('One point less for Nadia Brandt');
    expect(sent()).toBe('');
  });
});

describe('lists', () => {
  const lists = [
    { number: 1, name: 'Greens', candidates: [1, 2] },
    { number: 2, name: 'Gardeners', candidates: [3, 4] },
  ];

  it('are chosen one at a time, with candidates where the election allows them', async () => {
    const { choose, tap } = arrange(electionPaper({ method: 'lists', marks: 'list', most: 1, lists }));
    expect(status()).toHaveTextContent('Choose one of 2 lists.');
    await choose('Greens');
    await tap('Tomas Weller');
    expect(sent()).toBe('list=1 2');
    expect(screen.getByRole('checkbox', { name: 'Nadia Brandt' })).toBeDisabled();
    await choose('Gardeners');
    expect(sent()).toBe('list=2');
    expect(status()).toHaveTextContent('Gardeners is chosen. Your choices on the other list are cleared.');
    expect(screen.queryByRole('checkbox', { name: 'Tomas Weller' })).toBeNull();
  });

  it('stand without candidates where it does not', async () => {
    const { choose } = arrange(electionPaper({ method: 'lists', marks: 'list', most: 0, lists }));
    await choose('Greens');
    expect(screen.getAllByRole('checkbox').map((box) => box.getAttribute('value'))).toEqual(['Abstain']);
    expect(screen.getByRole('radio', { name: 'Greens' })).toHaveAccessibleDescription(
      'Nadia Brandt, Tomas Weller',
    );
  });
});

describe('an abstention', () => {
  it('is alone, says that it clears the marks, and gives them back', async () => {
    const { tap } = arrange(rankingPaper(4), ['1:2', '2:1']);
    await tap('Abstain');
    expect(sent()).toBe('abstain');
    expect(status()).toHaveTextContent(
      'You abstain. Your marks are cleared. A mark takes the abstention back.',
    );
    expect(screen.queryByRole('region', { name: 'Your ranking' })).toBeNull();
    await tap('Abstain');
    expect(sent()).toBe('1:2 2:1');
    expect(status()).toHaveTextContent('Your marks are back.');
  });

  it('does not bring back marks that were taken off since', async () => {
    const { tap } = arrange(rankingPaper(4), ['1:2']);
    await tap('Abstain');
    await tap('Nadia Brandt');
    await tap(/^Nadia Brandt/);
    expect(sent()).toBe('');
    await tap('Abstain');
    await tap('Abstain');
    expect(sent()).toBe('');
  });

  it('is taken back by a mark', async () => {
    const { tap } = arrange(rankingPaper(4), ['abstain']);
    await tap('Tomas Weller');
    expect(sent()).toBe('1:2');
    expect(screen.getByRole('checkbox', { name: 'Abstain' })).not.toBeChecked();
  });
});

describe('a blank ballot', () => {
  it('is offered only where it can be left blank', async () => {
    const { tap } = arrange(electionPaper({ canLeaveBlank: true }), ['1']);
    await tap('Leave blank');
    expect(sent()).toBe('blank');
    expect(status()).toHaveTextContent('You leave the ballot blank. Your marks are cleared.');
    await tap('Abstain');
    expect(sent()).toBe('abstain');
    await tap('Abstain');
    expect(sent()).toBe('1');
  });

  it('is not offered otherwise', () => {
    arrange(electionPaper());
    expect(screen.queryByRole('checkbox', { name: 'Leave blank' })).toBeNull();
  });
});

describe('the candidates', () => {
  const candidates = [
    ballotCandidate(1, { line: 'Flat 12', about: 'Treasurer since 2021.' }),
    ballotCandidate(2, { isWithdrawn: true }),
    ballotCandidate(3),
  ];

  it('have their line, and a text that unfolds', async () => {
    const { user } = arrange(electionPaper({ candidates }));
    expect(screen.getByRole('checkbox', { name: 'Nadia Brandt, Flat 12' })).toBeEnabled();
    expect(screen.getByText('Treasurer since 2021.')).not.toBeVisible();
    await user.click(screen.getByText('About Nadia Brandt'));
    expect(screen.getByText('Treasurer since 2021.')).toBeVisible();
  });

  it.each([electionPaper({ candidates }), electionPaper({ candidates, method: 'irv', marks: 'ranking' })])(
    'cannot be marked once they are withdrawn (%#)',
    (election) => {
      arrange(election);
      const withdrawn = screen.getByRole('checkbox', { name: 'Tomas Weller, withdrawn' });
      expect(withdrawn).toBeDisabled();
      expect(screen.getByText('Tomas Weller').tagName).toBe('S');
    },
  );

  it.each([
    electionPaper({ candidates, method: 'per_candidate', marks: 'answers' }),
    electionPaper({ candidates, method: 'cumulative', marks: 'points', votes: 2 }),
  ])('have no fields once they are withdrawn (%#)', (election) => {
    arrange(election);
    expect(screen.getByText('withdrawn')).toBeInTheDocument();
    expect(screen.queryByRole('radiogroup', { name: /Tomas/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /Tomas/ })).toBeNull();
  });
});
