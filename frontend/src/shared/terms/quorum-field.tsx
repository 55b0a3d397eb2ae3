import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { atOpeningWords, presentMeans, quorumWords } from '../result/result-words';
import type { NamedKind } from '../result/weight-names';
import { FieldRow } from '../ui/field-row';
import { MinimumField } from './minimum-field';
import classes from './quorum-field.module.css';
import { type QuorumFields, quorumIssues, toMeetingQuorum } from './quorum-form';
import { errorsUnder } from './terms-errors';

interface QuorumFieldProps {
  label: string;
  /** The effect while it is off. */
  description: string;
  quorum: QuorumFields;
  /** Messages by field. */
  errors: Record<string, ReactNode>;
  /** For the quorum of a meeting: the effect of a missing quorum at opening. */
  isMeetings?: boolean;
  /** Whether people are present by check-in. */
  hasCheckIn: boolean;
  /** The kind that is counted as weight. */
  weightKind?: NamedKind;
  onChange: (quorum: QuorumFields) => void;
}

/** The share of the register that must take part: off, or a share with its meaning in words. */
export function QuorumField(props: QuorumFieldProps) {
  const { label, description, quorum, errors, isMeetings = false, hasCheckIn, weightKind, onChange } = props;
  const change = (changes: Partial<QuorumFields>) => onChange({ ...quorum, ...changes });
  const stored = toMeetingQuorum(quorum);
  const isComplete = Object.keys(quorumIssues(quorum)).length === 0;
  return (
    <div className={classes.root}>
      <Switch
        label={label}
        // Without it, the description in the same <label> would be part of the name.
        aria-label={label}
        description={description}
        checked={quorum.isOn}
        error={errors.quorum}
        onChange={(event) => change({ isOn: event.currentTarget.checked })}
      />
      {quorum.isOn ? (
        <>
          <MinimumField
            legend="Share of the register"
            quorum={quorum}
            minimum={quorum}
            errors={errors}
            onChange={change}
          />
          <WhoCounts quorum={quorum} errors={errors} weightKind={weightKind} onChange={change} />
          {isMeetings && quorum.attendance === 'present' ? (
            <NativeSelect
              label="At opening, while too few are present"
              data={[
                { value: 'warn', label: 'Warn me' },
                { value: 'bar', label: 'Do not open' },
              ]}
              value={quorum.atOpening}
              error={errors.atOpening}
              onChange={(event) =>
                change({ atOpening: event.currentTarget.value as QuorumFields['atOpening'] })
              }
            />
          ) : null}
          <SecondCallQuorum quorum={quorum} errors={errors} onChange={change} />
          {stored && isComplete ? (
            <p className={classes.words} role="status">
              {quorumWords(stored, weightKind)}
              {stored.attendance === 'present' ? ` ${presentMeans(hasCheckIn)}` : ''}
              {isMeetings && stored.attendance === 'present' ? ` ${atOpeningWords(stored)}` : ''}
              {stored.secondCall ? ` On a second call: ${quorumWords(stored.secondCall, weightKind)}` : ''}
            </p>
          ) : null}
        </>
      ) : null}
    </div>
  );
}

interface PartProps {
  quorum: QuorumFields;
  errors: Record<string, ReactNode>;
  onChange: (changes: Partial<QuorumFields>) => void;
}

/** In which unit people are counted, and what they must have done. */
function WhoCounts({ quorum, errors, weightKind, onChange }: PartProps & { weightKind: NamedKind }) {
  return (
    <FieldRow legend="Who counts">
      <NativeSelect
        label="Quorum counted by"
        data={[
          { value: 'heads', label: 'Heads' },
          { value: 'weight', label: weightKind?.name ?? 'Weight' },
        ]}
        value={quorum.unit}
        error={errors.unit}
        onChange={(event) => onChange({ unit: event.currentTarget.value as QuorumFields['unit'] })}
      />
      <NativeSelect
        label="Must"
        data={[
          { value: 'present', label: 'Be present' },
          { value: 'voted', label: 'Have voted' },
        ]}
        value={quorum.attendance}
        error={errors.attendance}
        onChange={(event) =>
          onChange({ attendance: event.currentTarget.value as QuorumFields['attendance'] })
        }
      />
    </FieldRow>
  );
}

/** What must take part where a meeting is called a second time: the same, or a quorum of its own. */
function SecondCallQuorum({ quorum, errors, onChange }: PartProps) {
  return (
    <>
      <Switch
        label="Another quorum on a second call"
        // Without it, the description in the same <label> would be part of the name.
        aria-label="Another quorum on a second call"
        description="Where too few people came, the meeting is called again. You switch to the second call in the meeting."
        checked={quorum.hasSecondCall}
        onChange={(event) => onChange({ hasSecondCall: event.currentTarget.checked })}
      />
      {quorum.hasSecondCall ? (
        <MinimumField
          legend="On a second call"
          quorum={quorum}
          minimum={quorum.secondCall}
          errors={errorsUnder(errors, 'secondCall')}
          onChange={(changes) => onChange({ secondCall: { ...quorum.secondCall, ...changes } })}
        />
      ) : null}
    </>
  );
}
