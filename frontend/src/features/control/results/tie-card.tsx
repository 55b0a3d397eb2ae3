import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
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
import { listed } from '../../../shared/result/listed';
import { BusyButton } from '../../../shared/ui/busy-button';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { FormError } from '../../../shared/ui/form-error';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import { useSingleStart } from '../../../shared/use-single-start';
import { useDecideTie } from '../mutations';
import classes from './tie-card.module.css';

interface TieCardProps {
  meetingId: string;
  round: Round;
  result: ElectedResult;
}

type ElectedResult = Result & { election: ElectionResult };

/** The open tie of an election: the product draws the lot, or the organizer enters one that was drawn by hand. */
export function TieCard({ meetingId, round, result }: TieCardProps) {
  const decide = useDecideTie(meetingId, round);
  /** The tie that the dialog asks about. It stays until the dialog has closed, even if the next tie is shown. */
  const [asked, setAsked] = useState<ElectionTie | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { election } = result;
  const { tie } = election;
  // A refused decision may be of an earlier tie, if another organizer was first.
  const isOfTie =
    tie?.stage === decide.variables?.stage && tie?.numbers.join() === decide.variables?.numbers.join();
  const failure =
    decide.error && isOfTie
      ? messageOf(decide.error, 'The tie could not be decided. Nothing was stored. Try again.')
      : null;

  function ask(about: ElectionTie) {
    setAsked(about);
    setIsAsking(true);
  }

  async function draw() {
    if (asked) {
      const { stage, numbers } = asked;
      // The card shows the error.
      await decide.mutateAsync({ stage, numbers, by: 'lot' }).catch(() => null);
    }
  }

  return (
    <>
      {tie ? (
        <OpenTie
          // The next tie has fields of its own.
          key={`${tie.stage} ${tie.matter} ${tie.numbers.join()}`}
          tie={tie}
          result={result}
          isBusy={decide.isPending}
          failure={failure}
          onDraw={() => ask(tie)}
          onEnter={(entered) =>
            decide.mutate({ stage: tie.stage, numbers: tie.numbers, by: 'lot_by_hand', ...entered })
          }
        />
      ) : null}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        title="Draw the lot?"
        subject={result.questionText}
        confirmLabel="Draw the lot"
        onConfirm={draw}
      >
        {asked ? <DrawWords election={election} tie={asked} /> : null}
      </ConfirmDialog>
    </>
  );
}

/** Names the people of a lot, and what it decides about them. */
function DrawWords({ election, tie }: { election: ElectionResult; tie: ElectionTie }) {
  const names = tiedNames(election, tie).map(({ name }) => name);
  return (
    <>
      <p>
        Plenum draws between {listed(names)}. {lotEffect(election, tie, [])}
      </p>
      <p>
        <strong>A lot that is drawn never changes.</strong> It is part of the result.
      </p>
    </>
  );
}

interface OpenTieProps {
  tie: ElectionTie;
  result: ElectedResult;
  isBusy: boolean;
  failure: string | null;
  onDraw: () => void;
  onEnter: (fields: HandLotFields) => void;
}

function OpenTie({ tie, result, isBusy, failure, onDraw, onEnter }: OpenTieProps) {
  const id = useId();
  const root = useRef<HTMLElement>(null);
  const byHand = useUnfolded();
  const ties = tiesOf(result);
  const isDecidedHere = !isLeftToRunOff(tie, ties);
  useEffect(() => {
    if (isDecidedHere) {
      // Deciding the tie is the next step, and its buttons are below the question.
      root.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isDecidedHere]);

  return (
    <section ref={root} className={classes.root} aria-labelledby={id}>
      <h3 className={classes.title} id={id}>
        The count waits: a tie at stage {tie.stage}
      </h3>
      <p className={classes.words}>{tie.words}</p>
      {isDecidedHere ? null : (
        <p className={classes.words}>
          The rule asks for a run-off. The tied candidates get no seat in this ballot. Declare this result,
          then add the next ballot.
        </p>
      )}
      {isDecidedHere && byHand.isUnfolded ? (
        <HandLot
          election={result.election}
          tie={tie}
          isBusy={isBusy}
          onCancel={byHand.fold}
          onEnter={onEnter}
        />
      ) : null}
      {isDecidedHere && !byHand.isUnfolded ? (
        <div className={classes.buttons}>
          {ties === 'lot_by_hand' ? null : (
            <BusyButton isBusy={isBusy} busyLabel="Drawing…" onClick={onDraw}>
              Draw the lot
            </BusyButton>
          )}
          {ties === 'drawn_lot' ? null : (
            <Button ref={byHand.opener} variant="default" onClick={byHand.unfold}>
              Enter a lot drawn by hand
            </Button>
          )}
        </div>
      ) : null}
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
  const startOnce = useSingleStart(isBusy);
  const nameOf = (chosen: string) => names.find(({ number }) => String(number) === chosen)?.name ?? '';

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsChecked(true);
    const isWhole = new Set(order.filter(Boolean)).size === names.length;
    if (isWhole && drawnBy.trim() !== '' && witnessedBy.trim() !== '') {
      startOnce(() =>
        onEnter({ order: order.map(Number), drawnBy: drawnBy.trim(), witnessedBy: witnessedBy.trim() }),
      );
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
