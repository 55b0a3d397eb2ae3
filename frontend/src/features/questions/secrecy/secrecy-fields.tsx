import { Switch } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { basePath } from '../../../api/base-path';
import type { Secrecy } from '../../../api/types';
import { paths } from '../../../shared/paths';
import { canSeal } from '../../../shared/sealing/can-seal';
import { isAlwaysByHeads } from '../../../shared/terms/secrecy';
import { FormError } from '../../../shared/ui/form-error';
import type { QuestionFormValues } from '../question-form';
import classes from './secrecy-fields.module.css';

interface SecrecyFieldsProps {
  values: QuestionFormValues;
  errors: Record<string, ReactNode>;
  onSecrecyChange: (secrecy: Secrecy) => void;
  onCountsHeadsChange: (countsHeads: boolean) => void;
}

const LEVELS: { value: Secrecy; name: string; text: string }[] = [
  {
    value: 'named',
    name: 'Named',
    text: 'The results and the exports show how each person voted. Voters are told before they vote.',
  },
  {
    value: 'unshown',
    name: 'Not shown',
    text: 'Nobody is shown how a person voted. The operator’s database has it.',
  },
  {
    value: 'secret',
    name: 'Secret',
    text: 'Ballots are sealed and opened once, together. After the count, nothing stored links a person to an answer.',
  },
];

/** Who can learn how a person voted, and whether weights count. */
export function SecrecyFields({ values, errors, onSecrecyChange, onCountsHeadsChange }: SecrecyFieldsProps) {
  const id = useId();
  const isAlways = isAlwaysByHeads(values);
  return (
    <>
      <fieldset className={classes.root} aria-describedby={errors.secrecy ? `${id}-error` : undefined}>
        <legend className={classes.legend}>Secrecy</legend>
        {LEVELS.map(({ value, name, text }) => (
          <label key={value} className={classes.card} data-checked={values.secrecy === value}>
            <input
              type="radio"
              name={`${id}-secrecy`}
              value={value}
              checked={values.secrecy === value}
              aria-label={name}
              aria-describedby={`${id}-${value}`}
              onChange={() => onSecrecyChange(value)}
            />
            <span>
              <span className={classes.name}>{name}</span>
              <span id={`${id}-${value}`} className={classes.text}>
                {text}
              </span>
            </span>
          </label>
        ))}
        {values.secrecy === 'secret' && !canSeal() ? (
          <p className={classes.warning} role="status">
            This page is not open over https. Devices that vote like this cannot seal their ballots: the
            server seals them, and answers can be read on the way. Open Plenum over https before people vote.
          </p>
        ) : null}
        <div id={`${id}-error`}>
          <FormError message={typeof errors.secrecy === 'string' ? errors.secrecy : null} />
        </div>
        {/* In a tab of its own: the form has unsaved changes. */}
        <a className={classes.link} href={basePath + paths.secrecy} target="_blank" rel="noreferrer">
          Secret from whom
        </a>
      </fieldset>
      <Switch
        label="Count by heads"
        aria-label="Count by heads"
        description={
          isAlways
            ? 'Every vote counts one. Secret texts and numbers are always counted by heads.'
            : 'Every vote counts one, whatever the weight of the person.'
        }
        checked={isAlways || values.countsHeads}
        disabled={isAlways}
        error={errors.countsHeads}
        onChange={(event) => onCountsHeadsChange(event.currentTarget.checked)}
      />
    </>
  );
}
