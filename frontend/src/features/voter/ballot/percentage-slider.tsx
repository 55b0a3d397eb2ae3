import type { CSSProperties } from 'react';
import classes from './percentage-slider.module.css';

interface PercentageSliderProps {
  value: number | null;
  isDisabled: boolean;
  onChange: (value: number) => void;
}

/** The browser's own slider: it has the keys and the touch of the device, and weighs nothing on the way to a phone. */
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
      // Whole numbers are slid; one that was typed with decimals is not rounded in the showing.
      step={Number.isInteger(filled) ? 1 : 'any'}
      value={filled}
      disabled={isDisabled}
      onChange={({ currentTarget }) => onChange(Math.round(currentTarget.valueAsNumber))}
    />
  );
}
