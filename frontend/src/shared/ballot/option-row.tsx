import { IconCheck } from '@tabler/icons-react';
import type { OptionRole } from '../../api/types';
import { OptionSign } from '../result/option-sign';
import classes from './ballot-controls.module.css';

interface OptionRowProps {
  type: 'radio' | 'checkbox';
  name: string;
  text: string;
  /** Yes, no and abstain have a sign. */
  role?: OptionRole;
  isChosen: boolean;
  isDisabled: boolean;
  onToggle: () => void;
}

/** An option as a target of the full width, with its whole text. */
export function OptionRow({
  type,
  name,
  text,
  role = 'choice',
  isChosen,
  isDisabled,
  onToggle,
}: OptionRowProps) {
  return (
    <label className={classes.option} data-chosen={isChosen} data-disabled={isDisabled}>
      <input
        className={classes.input}
        type={type}
        name={name}
        value={text}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onToggle}
      />
      <span className={classes.mark} data-shape={type === 'radio' ? 'round' : 'square'}>
        <IconCheck size={16} stroke={3} aria-hidden="true" />
      </span>
      <OptionSign role={role} size={22} />
      <span className={classes.text}>{text}</span>
      <span className={classes.ring} aria-hidden="true" />
    </label>
  );
}
