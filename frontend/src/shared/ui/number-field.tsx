import { TextInput, type TextInputProps } from '@mantine/core';
import { type NumberRule, numberProblem, readNumber } from '../number-text';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'inputMode'> {
  rule: NumberRule;
  value?: string | undefined;
  onChange: (text: string) => void;
}

/**
 * A field for a number. It keeps the typed or pasted text, shows its error, and the form cannot be submitted meanwhile.
 * Mantine's NumberInput drops keys, cuts decimals and changes the number on blur.
 */
export function NumberField({ rule, value = '', error, description, onChange, ...props }: NumberFieldProps) {
  const problem = numberProblem(value, rule);
  const shown = error || problem;
  return (
    <TextInput
      {...props}
      inputMode={rule.decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={value}
      error={shown}
      // The form announces the errors of a submit as a whole.
      errorProps={problem === null ? {} : { role: 'alert' }}
      description={readingOf(value, rule) ?? description}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The interpretation of a number with a comma: in English a comma may separate thousands. */
function readingOf(text: string, rule: NumberRule): string | null {
  const plain = text.includes(',') ? readNumber(text, rule) : null;
  return plain === null ? null : `Read as ${plain}`;
}
