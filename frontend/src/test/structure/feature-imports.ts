import type { ImportGraph } from './source-files';

/** Imports between features, except of `queries.ts`: "features/a/page.tsx imports features/b/form.ts". */
export function featureImports(graph: ImportGraph): string[] {
  return [...graph].flatMap(([file, imported]) =>
    imported
      .filter((target) => isForeign(file, target) && !/^features\/[^/]+\/queries\.ts$/.test(target))
      .map((target) => `${file} imports ${target}`),
  );
}

function isForeign(file: string, target: string): boolean {
  const [own, foreign] = [featureOf(file), featureOf(target)];
  return own !== undefined && foreign !== undefined && own !== foreign;
}

function featureOf(path: string): string | undefined {
  return /^features\/([^/]+)\//.exec(path)?.[1];
}
