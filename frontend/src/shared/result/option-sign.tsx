import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import type { OptionRole } from '../../api/types';

interface OptionSignProps {
  role: OptionRole;
  size?: number;
  className?: string | undefined;
}

/** Check, cross and dash, next to the word with the same meaning. */
export function OptionSign({ role, size = 18, className }: OptionSignProps) {
  const Icon = { yes: IconCheck, no: IconX, abstain: IconMinus, choice: null }[role];
  return Icon ? <Icon className={className} size={size} stroke={2.5} aria-hidden="true" /> : null;
}
