import { ActionIcon, Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useFocusOfRow } from '../../../shared/use-focus-of-row';
import classes from './candidates-editor.module.css';
import { type CandidateField, type ElectionFields, namedCandidates, newCandidate } from './election-form';
import { ImportCandidates } from './import-candidates';
import { withPasted } from './parse-candidates';
import { PasteCandidates } from './paste-candidates';
import { PickPeople } from './pick-people';

type CandidateParts = Pick<ElectionFields, 'candidates' | 'pasted'>;

interface CandidatesEditorProps extends CandidateParts {
  /** The error of the candidates as a whole. */
  error: ReactNode;
  /** Messages by path: "options.0", "decisionRule.election.candidates.0.line". */
  errors: Record<string, ReactNode>;
  onChange: (changes: Partial<CandidateParts>) => void;
}

/** The candidates with their names and lines. The text about one is unfolded where it is needed. */
export function CandidatesEditor({ candidates, pasted, error, errors, onChange }: CandidatesEditorProps) {
  const errorId = useId();
  const { list, focusNext } = useFocusOfRow(candidates.length, '[data-name] input');
  const latest = useRef(candidates);
  useEffect(() => {
    latest.current = candidates;
  });
  const numbers = new Map(namedCandidates({ candidates }).map(({ key }, index) => [key, index]));

  function handleAdd() {
    focusNext.current = candidates.length;
    onChange({ candidates: [...candidates, newCandidate()] });
  }

  /** Adds candidates, in place of fields that are still empty. A file is read while others may be typed. */
  function handleMore(more: CandidateField[]) {
    onChange({ candidates: [...namedCandidates({ candidates: latest.current }), ...more] });
  }

  function handleRemove(index: number) {
    focusNext.current = Math.max(0, Math.min(index, candidates.length - 2));
    onChange({ candidates: candidates.filter((_, other) => other !== index) });
  }

  return (
    <fieldset className={classes.root} aria-describedby={error ? errorId : undefined}>
      <legend className={classes.legend}>Candidates</legend>
      <ol ref={list} className={classes.list}>
        {candidates.map((candidate, index) => (
          <CandidateRow
            key={candidate.key}
            candidate={candidate}
            number={index + 1}
            errors={errorsOf(errors, numbers.get(candidate.key))}
            onChange={(changes) =>
              onChange({
                candidates: candidates.map((one) =>
                  one.key === candidate.key ? { ...one, ...changes } : one,
                ),
              })
            }
            onRemove={candidates.length > 1 ? () => handleRemove(index) : null}
          />
        ))}
      </ol>
      <div className={classes.add}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
          onClick={handleAdd}
        >
          Add Candidate
        </Button>
        <PasteCandidates
          text={pasted}
          onText={(text) => onChange({ pasted: text })}
          onAdd={() => onChange(withPasted({ candidates, pasted }))}
        />
        <ImportCandidates onImport={handleMore} />
        <PickPeople names={candidates.map(({ name }) => name)} onPick={(picked) => handleMore([picked])} />
      </div>
      {error ? (
        <p className={classes.error} id={errorId} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

interface CandidateErrors {
  name: ReactNode;
  line: ReactNode;
  about: ReactNode;
}

function errorsOf(errors: Record<string, ReactNode>, index: number | undefined): CandidateErrors {
  const path = `decisionRule.election.candidates.${index}`;
  return { name: errors[`options.${index}`], line: errors[`${path}.line`], about: errors[`${path}.about`] };
}

interface CandidateRowProps {
  candidate: CandidateField;
  number: number;
  errors: CandidateErrors;
  onChange: (changes: Partial<CandidateField>) => void;
  /** Null for the only candidate. */
  onRemove: (() => void) | null;
}

function CandidateRow({ candidate, number, errors, onChange, onRemove }: CandidateRowProps) {
  const [isOpened, setIsOpened] = useState(false);
  const isOpen = isOpened || Boolean(errors.about);
  const detailsId = useId();
  return (
    <li className={classes.candidate}>
      <span className={classes.number} aria-hidden="true">
        {number}
      </span>
      <div className={classes.fields}>
        <TextInput
          wrapperProps={{ 'data-name': true }}
          aria-label={`Name of candidate ${number}`}
          placeholder="Name"
          error={errors.name}
          value={candidate.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          aria-label={`Line of candidate ${number}`}
          placeholder="Party, flat or department (optional)"
          error={errors.line}
          value={candidate.line}
          onChange={(event) => onChange({ line: event.currentTarget.value })}
        />
        {isOpen ? (
          <div id={detailsId} className={classes.details}>
            <Textarea
              label={`About candidate ${number}`}
              description="Voters can unfold this text on the ballot."
              autosize
              minRows={2}
              error={errors.about}
              value={candidate.about}
              onChange={(event) => onChange({ about: event.currentTarget.value })}
            />
            <Checkbox
              label="Withdrawn"
              aria-label={`Candidate ${number} is withdrawn`}
              description="Stays on the ballot, struck through, and cannot be marked."
              checked={candidate.isWithdrawn}
              onChange={(event) => onChange({ isWithdrawn: event.currentTarget.checked })}
            />
          </div>
        ) : null}
      </div>
      <div className={classes.actions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`More about candidate ${number}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
          onClick={() => setIsOpened(!isOpened)}
        >
          <IconChevronDown size={18} stroke={1.75} />
        </ActionIcon>
        {onRemove ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove candidate ${number}`}
            onClick={onRemove}
          >
            <IconTrash size={18} stroke={1.75} />
          </ActionIcon>
        ) : null}
      </div>
      {candidate.isWithdrawn && !isOpen ? <p className={classes.note}>Withdrawn</p> : null}
    </li>
  );
}
