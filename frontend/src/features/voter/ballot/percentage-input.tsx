import { TextInput } from '@mantine/core';
import { PERCENT_SIGN } from '../../../shared/format';
import { PERCENTAGE, readPercentage } from '../../../shared/number-text';

interface PercentageInputProps {
  className: string | undefined;
  /** As it was typed. */
  text: string;
  isDisabled: boolean;
  onChange: (text: string) => void;
}

/**
 * A number from 0 to 100. What is typed stays as it is: what is no such number is marked, and the ballot waits. With a
 * comma before the decimals as well, which is what some keyboards offer.
 */
export function PercentageInput({ className, text, isDisabled, onChange }: PercentageInputProps) {
  const plain = readPercentage(text);
  const isWrong = text.trim() !== '' && plain === null;
  return (
    <TextInput
      classNames={{ wrapper: className }}
      aria-label="Percentage"
      inputMode="decimal"
      autoComplete="off"
      placeholder="–"
      rightSection={<span aria-hidden="true">%</span>}
      rightSectionPointerEvents="none"
      value={text}
      disabled={isDisabled}
      error={isWrong ? PERCENTAGE.wanted : null}
      errorProps={{ role: 'alert', fz: 'md' }}
      description={text.includes(',') && plain !== null ? `Read as ${plain}${PERCENT_SIGN}` : null}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
