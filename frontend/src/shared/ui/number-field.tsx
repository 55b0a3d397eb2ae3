import { TextInput, type TextInputProps } from '@mantine/core';
import { type NumberRule, numberProblem, readNumber } from '../number-text';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'inputMode'> {
  rule: NumberRule;
  value?: string | undefined;
  onChange: (text: string) => void;
}

/**
 * A field for a number. What is typed or pasted stays as it is; what is wrong with it stands beside it, and the form
 * waits. Mantine's NumberInput drops keys, cuts decimals and changes the number when the field is left.
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
      // What the form finds when it is sent, it says as a whole.
      errorProps={problem === null ? {} : { role: 'alert' }}
      description={readingOf(value, rule) ?? description}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** How a number with a comma is understood: in English a comma may be meant for thousands. */
function readingOf(text: string, rule: NumberRule): string | null {
  const plain = text.includes(',') ? readNumber(text, rule) : null;
  return plain === null ? null : `Read as ${plain}`;
}
