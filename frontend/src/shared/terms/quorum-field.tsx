import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { atOpeningWords, PRESENT_MEANS, quorumWords } from '../result/result-words';
import { FieldRow } from '../ui/field-row';
import classes from './quorum-field.module.css';
import { MinimumField } from './minimum-field';
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
  onChange: (quorum: QuorumFields) => void;
}

/** The share of the register that must take part: off, or a share with its meaning in words. */
export function QuorumField(props: QuorumFieldProps) {
  const { label, description, quorum, errors, isMeetings = false, onChange } = props;
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
          <MinimumField legend="Share of the register" quorum={quorum} minimum={quorum} errors={errors} onChange={change} />
          <FieldRow legend="Who counts">
            <NativeSelect
              label="Quorum counted by"
              data={[
                { value: 'heads', label: 'Heads' },
                { value: 'weight', label: 'Weight' },
              ]}
              value={quorum.unit}
              error={errors.unit}
              onChange={(event) => change({ unit: event.currentTarget.value as QuorumFields['unit'] })}
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
                change({ attendance: event.currentTarget.value as QuorumFields['attendance'] })
              }
            />
          </FieldRow>
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
          <Switch
            label="Another quorum on a second call"
            // Without it, the description in the same <label> would be part of the name.
            aria-label="Another quorum on a second call"
            description="Where too few people came, the meeting is called again. You switch to the second call in the meeting."
            checked={quorum.hasSecondCall}
            onChange={(event) => change({ hasSecondCall: event.currentTarget.checked })}
          />
          {quorum.hasSecondCall ? (
            <MinimumField
              legend="On a second call"
              quorum={quorum}
              minimum={quorum.secondCall}
              errors={errorsUnder(errors, 'secondCall')}
              onChange={(changes) => change({ secondCall: { ...quorum.secondCall, ...changes } })}
            />
          ) : null}
          {stored && isComplete ? (
            <p className={classes.words} role="status">
              {quorumWords(stored)}
              {stored.attendance === 'present' ? ` ${PRESENT_MEANS}` : ''}
              {isMeetings && stored.attendance === 'present' ? ` ${atOpeningWords(stored)}` : ''}
              {stored.secondCall ? ` On a second call: ${quorumWords(stored.secondCall)}` : ''}
            </p>
          ) : null}
        </>
      ) : null}
    </div>
  );
}
