import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import classes from './date-time-input.module.css';

interface DateTimeInputProps extends Omit<TextInputProps, 'type' | 'value'> {
  type: 'date' | 'datetime-local';
  value?: string | undefined;
}

/**
 * The browser's own field for a date. It marks an empty field, because WebKit shows today's date there, which looks
 * like a value. A partial input has no value; it stays, and an error names the missing part.
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
