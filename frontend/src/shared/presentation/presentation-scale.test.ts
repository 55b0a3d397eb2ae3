import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Sizes that do not scale make the small preview in the control view unreadable. */
it('has no size that does not scale with the presentation, unless the preview can lift it', () => {
  const sheets = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.module.css'));
  expect(sheets).not.toEqual([]);
  const fixed = sheets.flatMap((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8')
      .split('\n')
      .filter((line) => /\d(rem)\b/.test(line.replaceAll('var(--presentation-least, 1rem)', '')))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(fixed).toEqual([]);
});
