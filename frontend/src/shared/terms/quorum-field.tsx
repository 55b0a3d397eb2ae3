import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { atOpeningWords, PRESENT_MEANS, quorumWords } from '../result/result-words';
import { FieldRow } from '../ui/field-row';
import classes from './quorum-field.module.css';
import { type QuorumFields, quorumIssues, toMeetingQuorum } from './quorum-form';
import { ShareField } from './share-field';

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
          <ShareField legend="Share of the register" share={quorum} errors={errors} onChange={change} />
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
          {stored && isComplete ? (
            <p className={classes.words} role="status">
              {quorumWords(stored)}
              {stored.attendance === 'present' ? ` ${PRESENT_MEANS}` : ''}
              {isMeetings && stored.attendance === 'present' ? ` ${atOpeningWords(stored)}` : ''}
            </p>
          ) : null}
        </>
      ) : null}
    </div>
  );
}
