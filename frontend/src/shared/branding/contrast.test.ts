import { expect, it } from 'vitest';
import { darkEnough, darkShade, lightContrast, parseColor } from './contrast';

function color(text: string) {
  const parsed = parseColor(text);
  if (!parsed) {
    throw new Error(`${text} is not a color`);
  }
  return parsed;
}

it('reads colors in any case, and nothing else', () => {
  expect(parseColor('#7A1f5C')).toEqual([0x7a, 0x1f, 0x5c]);
  for (const text of ['', '7a1f5c', '#7a1f5', ' #7a1f5c', '#7a1f5g', 'red']) {
    expect(parseColor(text), text).toBeNull();
  }
});

it('measures the contrast as the server does', () => {
  expect(lightContrast(color('#ffcc00'))).toBe(1.35);
  expect(lightContrast(color('#000000'))).toBeGreaterThan(18);
});

it('suggests the first darker shade that is readable', () => {
  const suggested = darkEnough(color('#ffcc00'));
  expect(lightContrast(color(suggested))).toBeGreaterThanOrEqual(4.5);
  expect(lightContrast(color(suggested))).toBeLessThan(4.8);
  expect(darkEnough(color('#7a1f5c'))).toBe('#7a1f5c');
});

it('lightens a color for the dark theme, and leaves a light one', () => {
  expect(darkShade(color('#000000'))).toMatch(/^#([0-9a-f]{2})\1\1$/);
  expect(darkShade(color('#ffffff'))).toBe('#ffffff');
});
