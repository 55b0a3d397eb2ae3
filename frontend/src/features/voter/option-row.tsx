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
    <label className={classes.option}>
      <span className={classes.mark} data-shape={type === 'radio' ? 'round' : 'square'}>
        <IconCheck size={16} stroke={3} aria-hidden="true" />
        <input
          className={classes.input}
          type={type}
          name={name}
          value={text}
          checked={isChosen}
          disabled={isDisabled}
          onChange={onToggle}
        />
      </span>
      <span className={classes.text}>{text}</span>
    </label>
  );
}
