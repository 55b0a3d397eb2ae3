import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkInCode } from '../../shared/join-links/check-in-code';
import { DeskScans, scannedCode } from './desk-scans';

const ADA = checkInCode('019a9d5e-0000-7000-8000-000000000003');
const BEN = checkInCode('019a9d5e-0000-7000-8000-000000000004');
const LINK = 'https://vote.example/join#secret';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The new scans among the texts that the camera reads, one every quarter of a second. */
function newScans(scans: DeskScans, texts: string[]): string[] {
  return texts.filter((text) => {
    vi.advanceTimersByTime(250);
    return scans.isNew(text);
  });
}

describe('a scan', () => {
  it('is one as long as its code stays in view, also beside others', () => {
    const scans = new DeskScans();
    const held = Array.from({ length: 40 }, (_, look) => (look % 2 === 0 ? ADA : LINK));
    expect(newScans(scans, held)).toEqual([ADA]);
    expect(newScans(scans, [BEN, ADA, BEN, ADA])).toEqual([BEN]);
  });

  it('is new once its code was out of view for three seconds', () => {
    const scans = new DeskScans();
    expect(newScans(scans, [ADA, ADA])).toEqual([ADA]);
    vi.advanceTimersByTime(3_000);
    expect(newScans(scans, [ADA])).toEqual([ADA]);
  });

  it('of another code counts once no check-in code was in view for three seconds', () => {
    const scans = new DeskScans();
    expect(newScans(scans, [ADA, LINK, LINK])).toEqual([ADA]);
    vi.advanceTimersByTime(2_500);
    expect(newScans(scans, [LINK, LINK])).toEqual([LINK]);
    expect(newScans(scans, [ADA])).toEqual([ADA]);
  });
});

it('takes the check-in code of the codes in one picture', () => {
  expect(scannedCode([LINK, ADA])).toBe(ADA);
  expect(scannedCode([' ', LINK])).toBe(LINK);
  expect(scannedCode([])).toBeNull();
});
