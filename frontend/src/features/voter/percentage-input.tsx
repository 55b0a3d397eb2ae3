import { TextInput } from '@mantine/core';
import { useState } from 'react';

interface PercentageInputProps {
  className: string | undefined;
  value: number | null;
  isDisabled: boolean;
  onChange: (value: number | null) => void;
}

const MAX = 100;
/** As far as somebody may have come in writing a number: with a comma as well, which is what some keyboards offer. */
const TYPED = /^\d{0,3}([.,]\d{0,2})?$/;

function numberIn(text: string): number | null {
  const digits = text.replace(',', '.');
  return /\d/.test(digits) ? Number(digits) : null;
}

/** A number from 0 to 100 with at most two decimals; other keys do nothing. Small, since it travels to every phone. */
export function PercentageInput({ className, value, isDisabled, onChange }: PercentageInputProps) {
  /** The text as it is being written, such as "37."; null when nobody is writing. */
  const [typed, setTyped] = useState<string | null>(null);
  const figure = value === null ? '' : String(value);

  const type = (text: string) => {
    const written = text.replace(/[\s%]/g, '');
    const number = numberIn(written);
    if (TYPED.test(written) && (number ?? 0) <= MAX) {
      setTyped(written);
      onChange(number);
    }
  };

  return (
    <TextInput
      className={className}
      aria-label="Percentage"
      inputMode="decimal"
      autoComplete="off"
      placeholder="– %"
      value={typed ?? (figure && `${figure} %`)}
      disabled={isDisabled}
      onFocus={() => setTyped(figure)}
      onBlur={() => setTyped(null)}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
