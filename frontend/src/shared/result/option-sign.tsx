import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import type { OptionRole } from '../../api/types';
import classes from './option-sign.module.css';

interface OptionSignProps {
  role: OptionRole;
  size?: number | string;
}

/** Check, cross and dash in blue, orange and gray, next to the word with the same meaning. */
export function OptionSign({ role, size = 18 }: OptionSignProps) {
  const Icon = { yes: IconCheck, no: IconX, abstain: IconMinus, choice: null }[role];
  return Icon ? (
    <Icon className={classes.root} data-role={role} size={size} stroke={2.5} aria-hidden="true" />
  ) : null;
}
