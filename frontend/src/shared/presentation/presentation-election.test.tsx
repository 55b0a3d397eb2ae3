import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { electionResult } from '../../test/election-samples';
import { renderPart } from '../../test/render-part';
import { PresentationElection } from './presentation-election';

function Steps() {
  const [step, setStep] = useState(0);
  return <PresentationElection election={electionResult()} step={step} onStep={setStep} />;
}

it('begins with the elected in their order', () => {
  renderPart(<Steps />);
  const elected = within(screen.getByRole('list', { name: 'Elected, in the order of election' }));
  expect(elected.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1Nadia BrandtFlat 12',
    '2Tomas Weller',
  ]);
  expect(screen.getByRole('status')).toHaveTextContent('Elected, after 3 stages');
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

it('shows one stage at a time by buttons', async () => {
  const { user } = renderPart(<Steps />);
  await user.click(screen.getByRole('button', { name: 'First stage' }));
  expect(screen.getByRole('table', { name: 'Votes at stage 1' })).toBeInTheDocument();
  expect(screen.queryByRole('list')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Next stage' }));
  await user.click(screen.getByRole('button', { name: 'Next stage' }));
  const table = within(screen.getByRole('table', { name: 'Votes at stage 3' }));
  // The most votes first.
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'Tomas Weller36.42848elected',
    'Nadia Brandt20.00000elected',
    'Quota20',
    'Non-transferable0.57144',
  ]);
  expect(screen.getByText('Exclusion of Imani Okoye')).toBeInTheDocument();
  expect(screen.getByText('Tomas Weller takes the last place.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Next stage' })).toHaveAttribute('aria-disabled', 'true');
});

it('follows the arrow keys, and stops at both ends', async () => {
  const { user } = renderPart(<Steps />);
  const status = screen.getByRole('status');
  await user.keyboard('{ArrowLeft}');
  expect(status).toHaveTextContent('Elected, after 3 stages');
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(status).toHaveTextContent('Stage 3 of 3');
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  expect(status).toHaveTextContent('Stage 3 of 3');
  await user.keyboard('{ArrowLeft}');
  expect(status).toHaveTextContent('Stage 2 of 3');
});

it('leaves the arrow keys to the page around a preview', async () => {
  const { user } = renderPart(
    <div inert>
      <Steps />
    </div>,
  );
  await user.keyboard('{ArrowRight}');
  expect(screen.getByText('Elected, after 3 stages')).toBeInTheDocument();
});
