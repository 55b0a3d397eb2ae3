import { IconCheck } from '@tabler/icons-react';
import classes from './ballot-controls.module.css';

interface OptionRowProps {
  type: 'radio' | 'checkbox';
  name: string;
  text: string;
  isChosen: boolean;
  isDisabled: boolean;
  onToggle: () => void;
}

/** An option as a target of the full width, with its whole text. */
export function OptionRow({ type, name, text, isChosen, isDisabled, onToggle }: OptionRowProps) {
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
      <span className={classes.text}>{text}</span>
      <span className={classes.ring} aria-hidden="true" />
    </label>
  );
}
