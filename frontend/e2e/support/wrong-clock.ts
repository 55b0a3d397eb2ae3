import type { Page } from '@playwright/test';

const HOUR_MS = 3_600_000;

/** Sets the clock of this device wrong by this many hours, on every page that it opens from now on. */
export async function setClockWrong(page: Page, byHours: number): Promise<void> {
  await page.addInitScript((aheadMs) => {
    const RealDate = Date;
    const wrongNow = () => RealDate.now() + aheadMs;
    globalThis.Date = new Proxy(RealDate, {
      construct: (_, parts: [] | ConstructorParameters<DateConstructor>) =>
        parts.length === 0 ? new RealDate(wrongNow()) : new RealDate(...parts),
      get: (target, key) => (key === 'now' ? wrongNow : Reflect.get(target, key)),
    });
  }, byHours * HOUR_MS);
}
