import type { Page } from '@playwright/test';

/** What somebody has done on a page by hand. */
export interface Effort {
  clicks: number;
  /** The number of different fields that text was typed into. */
  fields: number;
  keystrokes: number;
}

/**
 * Counts clicks, fields and keystrokes from now on, through every page that this tab loads. A click into a text field
 * counts with the field.
 */
export async function watchEffort(page: Page): Promise<() => Effort> {
  let clicks = 0;
  let keystrokes = 0;
  let fields = 0;
  await page.exposeFunction('noteClick', () => {
    clicks += 1;
  });
  await page.exposeFunction('noteTyping', (characters: number) => {
    fields += 1;
    keystrokes += characters;
  });
  const observe = () => {
    const { noteClick, noteTyping } = window as unknown as {
      noteClick: () => void;
      noteTyping: (characters: number) => void;
    };
    const isText = (target: EventTarget | null) =>
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && /^(text|email|password|search|tel|url)$/.test(target.type));
    addEventListener(
      'click',
      (event) => {
        // The browser repeats a click on a label for its field.
        if (event.isTrusted && event.detail > 0 && !isText(event.target)) {
          noteClick();
        }
      },
      true,
    );
    // A script fills a field at once: one event for each field.
    addEventListener(
      'input',
      (event) => {
        if (isText(event.target)) {
          noteTyping((event.target as HTMLInputElement).value.length);
        }
      },
      true,
    );
  };
  await page.addInitScript(observe);
  if (page.url() !== 'about:blank') {
    await page.evaluate(observe);
  }
  return () => ({ clicks, fields, keystrokes });
}

/** What was done between two readings. */
export function effortBetween(before: Effort, after: Effort): Effort {
  return {
    clicks: after.clicks - before.clicks,
    fields: after.fields - before.fields,
    keystrokes: after.keystrokes - before.keystrokes,
  };
}

/**
 * The time that a practised person needs, in seconds, by the keystroke-level model (Card, Moran and Newell, 1980): 0.28
 * s for a keystroke, 1.3 s to point and click, 1.35 s to think before each click and each field, and the click into it.
 */
export function secondsByHand({ clicks, fields, keystrokes }: Effort): number {
  return keystrokes * 0.28 + (clicks + fields) * (1.3 + 1.35);
}
