import type { CSSProperties } from 'react';
import classes from './percentage-slider.module.css';

interface PercentageSliderProps {
  value: number | null;
  isDisabled: boolean;
  onChange: (value: number) => void;
}

/** The browser's own slider: it supports the device's keys and touch, and adds no code to the bundle. */
export function PercentageSlider({ value, isDisabled, onChange }: PercentageSliderProps) {
  const filled = value ?? 0;
  return (
    <input
      className={classes.slider}
      style={{ '--filled': `${filled}%` } as CSSProperties}
      type="range"
      aria-label="Percentage"
      aria-valuetext={value === null ? 'Nothing chosen' : `${value} %`}
      min={0}
      max={100}
      // The slider moves in whole numbers, but does not round a typed value with decimals.
      step={Number.isInteger(filled) ? 1 : 'any'}
      value={filled}
      disabled={isDisabled}
      onChange={({ currentTarget }) => onChange(Math.round(currentTarget.valueAsNumber))}
    />
  );
}
