import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import classes from './date-time-input.module.css';

interface DateTimeInputProps extends Omit<TextInputProps, 'type' | 'value'> {
  type: 'date' | 'datetime-local';
  value?: string | undefined;
}

/**
 * The browser's own field for a date. Empty, it says so: WebKit shows today's date in it, which looks filled in. Half
 * filled in, it has no value; what was typed stays, with what is missing beside it.
 */
export function DateTimeInput({ type, value = '', error, onBlur, onChange, ...props }: DateTimeInputProps) {
  const [isPartial, setIsPartial] = useState(false);
  const isEmpty = value === '' && !isPartial;
  const partial = type === 'date' ? 'Enter the whole date' : 'Enter the whole date and the time';
  return (
    <TextInput
      {...props}
      type={type}
      classNames={{ wrapper: isEmpty ? classes.empty : undefined }}
      value={value}
      error={isPartial ? partial : error}
      errorProps={isPartial ? { role: 'alert' } : {}}
      onBlur={(event) => {
        setIsPartial(event.currentTarget.validity.badInput);
        onBlur?.(event);
      }}
      onChange={(event) => {
        setIsPartial(false);
        onChange?.(event);
      }}
    />
  );
}
