import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { SourceFiles } from './source-files';

/** Reads all style modules below a folder. */
export function readStyleFiles(folder: string): SourceFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.module.css'))
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(posix.join(folder, path), 'utf8')]));
}

/** Each `run` of consecutive rules that an earlier file has too: "b.module.css repeats .list of a.module.css". */
export function repeatedStyles(files: SourceFiles, run: number): string[] {
  const seen = new Map<string, string>();
  return [...files].flatMap(([path, text]) => {
    const rules = rulesOf(text);
    return rules.slice(0, Math.max(0, rules.length - run + 1)).flatMap((rule, start) => {
      const words = rules.slice(start, start + run).join('\n');
      const other = seen.get(words);
      seen.set(words, other ?? path);
      return other === undefined || other === path
        ? []
        : [`${path} repeats ${rule.split(' {')[0]} of ${other}`];
    });
  });
}

/** The outermost rules: only these end at the beginning of a line. */
function rulesOf(text: string): string[] {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split(/(?<=^\})\n/m)
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '');
}
