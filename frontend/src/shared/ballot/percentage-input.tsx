import { TextInput } from '@mantine/core';
import { PERCENT_SIGN } from '../format';
import { PERCENTAGE, readPercentage } from '../number-text';

interface PercentageInputProps {
  className: string | undefined;
  /** As typed. */
  text: string;
  isDisabled: boolean;
  onChange: (text: string) => void;
}

/**
 * A number from 0 to 100. The typed text is kept: an invalid number is marked, and the ballot cannot be submitted
 * meanwhile. A decimal comma is accepted, because some keyboards have no point.
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
