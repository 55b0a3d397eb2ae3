import { describe, expect, it } from 'vitest';
import {
  formatDateTime,
  formatElapsed,
  formatNumber,
  formatPeriod,
  formatRecent,
  formatTotalWeight,
} from './format';

const now = new Date(2026, 10, 21, 12, 0);
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

describe('dates', () => {
  it('are short and local, with the year where it is not this one', () => {
    expect(formatDateTime(at(2026, 10, 21, 14, 5), now)).toBe('21 Nov, 14:05');
    expect(formatDateTime(at(2027, 0, 3, 9, 30), now)).toBe('3 Jan 2027, 09:30');
  });

  it('name the day of a period once where it is one day', () => {
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');
    expect(plain(formatPeriod(at(2026, 10, 21, 14, 5), at(2026, 10, 21, 16, 0), now))).toBe(
      '21 Nov, 14:05 – 16:00',
    );
    expect(plain(formatPeriod(at(2026, 10, 21, 14, 5), at(2026, 10, 22, 1, 0), now))).toBe(
      '21 Nov, 14:05 – 22 Nov, 01:00',
    );
  });
});

describe('what was lately', () => {
  it.each([
    [0, 'Just now'],
    [59_999, 'Just now'],
    [60_000, '1 min ago'],
    [3_599_999, '59 min ago'],
    [3_600_000, '21 Nov, 11:00'],
    // The device's clock is behind.
    [-30_000, 'Just now'],
    [-3_600_000, '21 Nov, 13:00'],
  ])('%d ms ago is "%s"', (age, text) => {
    expect(formatRecent(new Date(now.getTime() - age).toISOString(), now)).toBe(text);
  });
});

describe('numbers', () => {
  it('keep the decimals that they have', () => {
    expect(formatNumber(1)).toBe('1');
    expect(formatNumber(0.1275)).toBe('0.1275');
    expect(formatNumber(12500)).toBe('12,500');
  });

  it('show a sum of weights with one decimal', () => {
    expect(formatTotalWeight(203.4275)).toBe('203.4');
    expect(formatTotalWeight(3)).toBe('3.0');
  });
});

describe('elapsed time', () => {
  it.each([
    [0, '0:00'],
    [75, '1:15'],
    [3661, '1:01:01'],
    [-3, '0:00'],
  ])('%d s is %s', (seconds, text) => {
    expect(formatElapsed(seconds)).toBe(text);
  });
});
