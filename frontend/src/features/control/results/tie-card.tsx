import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import type { Result, Round } from '../../../api/types';
import type {
  ElectionResult,
  ElectionTie,
  TieDecisionBody,
  TieRule,
} from '../../../shared/elections/election-types';
import { isLeftToRunOff, tiedNames } from '../../../shared/result/election/election-names';
import { lotEffect, placeEffect } from '../../../shared/result/election/lot-effect';
import { BusyButton } from '../../../shared/ui/busy-button';
import { FormError } from '../../../shared/ui/form-error';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import { useDecideTie } from '../mutations';
import classes from './tie-card.module.css';

interface TieCardProps {
  meetingId: string;
  round: Round;
  result: Result & { election: ElectionResult };
}

/** The open tie of an election: the product draws the lot, or the organizer enters one that was drawn by hand. */
export function TieCard({ meetingId, round, result }: TieCardProps) {
  const id = useId();
  const decide = useDecideTie(meetingId, round);
  const byHand = useUnfolded();
  const { tie } = result.election;
  if (tie === null) {
    return null;
  }
  const { stage, numbers } = tie;
  const ties = tiesOf(result);
  const failure = decide.error
    ? messageOf(decide.error, 'The tie could not be decided. Nothing was stored. Try again.')
    : null;

  return (
    <section className={classes.root} aria-labelledby={id}>
      <h3 className={classes.title} id={id}>
        The count waits: a tie at stage {stage}
      </h3>
      <p className={classes.words}>{tie.words}</p>
      {isLeftToRunOff(tie, ties) ? (
        <p className={classes.words}>
          The rule asks for a run-off. The tied candidates get no seat in this ballot. Declare this result,
          then add the next ballot.
        </p>
      ) : byHand.isUnfolded ? (
        <HandLot
          election={result.election}
          tie={tie}
          isBusy={decide.isPending}
          onCancel={byHand.fold}
          onEnter={(entered) => decide.mutate({ stage, numbers, by: 'lot_by_hand', ...entered })}
        />
      ) : (
        <div className={classes.buttons}>
          {ties === 'lot_by_hand' ? null : (
            <BusyButton
              isBusy={decide.isPending}
              busyLabel="Drawing…"
              onClick={() => decide.mutate({ stage, numbers, by: 'lot' })}
            >
              Draw the lot
            </BusyButton>
          )}
          {ties === 'drawn_lot' ? null : (
            <Button ref={byHand.opener} variant="default" onClick={byHand.unfold}>
              Enter a lot drawn by hand
            </Button>
          )}
        </div>
      )}
      <FormError message={failure} />
    </section>
  );
}

function tiesOf({ decisionRule }: Result): TieRule {
  return decisionRule?.kind === 'election' ? (decisionRule.election.ties ?? 'lot') : 'lot';
}

type HandLotFields = Pick<TieDecisionBody, 'order' | 'drawnBy' | 'witnessedBy'>;

interface HandLotProps {
  election: ElectionResult;
  tie: ElectionTie;
  isBusy: boolean;
  onCancel: () => void;
  onEnter: (fields: HandLotFields) => void;
}

/** The order in which the lots were drawn, with its effect, the person who drew, and a witness. */
function HandLot({ election, tie, isBusy, onCancel, onEnter }: HandLotProps) {
  const names = tiedNames(election, tie);
  const [order, setOrder] = useState<string[]>(() => names.map(() => ''));
  const [drawnBy, setDrawnBy] = useState('');
  const [witnessedBy, setWitnessedBy] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const nameOf = (chosen: string) => names.find(({ number }) => String(number) === chosen)?.name ?? '';

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsChecked(true);
    const isWhole = new Set(order.filter(Boolean)).size === names.length;
    if (isWhole && drawnBy.trim() !== '' && witnessedBy.trim() !== '' && !isBusy) {
      onEnter({ order: order.map(Number), drawnBy: drawnBy.trim(), witnessedBy: witnessedBy.trim() });
    }
  }

  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      {order.map((chosen, place) => (
        <NativeSelect
          // biome-ignore lint/suspicious/noArrayIndexKey: a place of the draw is its index.
          key={place}
          label={placeLabel(placeEffect(election, tie, place), place)}
          data={[
            { value: '', label: 'Choose' },
            ...names.map(({ number, name }) => ({ value: String(number), label: name })),
          ]}
          value={chosen}
          error={isChecked ? placeProblem(order, place) : null}
          onChange={({ currentTarget: { value } }) =>
            setOrder(order.map((other, index) => (index === place ? value : other)))
          }
        />
      ))}
      <TextInput
        label="Drawn by"
        maxLength={200}
        value={drawnBy}
        error={isChecked && drawnBy.trim() === '' ? 'Enter who drew the lot.' : null}
        onChange={(event) => setDrawnBy(event.currentTarget.value)}
      />
      <TextInput
        label="Seen by"
        maxLength={200}
        value={witnessedBy}
        error={isChecked && witnessedBy.trim() === '' ? 'Enter who saw the draw.' : null}
        onChange={(event) => setWitnessedBy(event.currentTarget.value)}
      />
      <p className={classes.words} role="status">
        {lotEffect(election, tie, order.map(nameOf))}
      </p>
      <div className={classes.buttons}>
        <BusyButton type="submit" isBusy={isBusy} busyLabel="Entering…">
          Enter the lot
        </BusyButton>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** More candidates are rarely tied. */
const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

function placeLabel(effect: string | null, place: number): string {
  return `Drawn ${PLACES[place] ?? `as number ${place + 1}`}${effect === null ? '' : ` (${effect})`}`;
}

function placeProblem(order: string[], place: number): string | null {
  const chosen = order[place];
  if (!chosen) {
    return 'Choose who was drawn.';
  }
  return order.indexOf(chosen) < place ? 'This one was drawn before.' : null;
}
