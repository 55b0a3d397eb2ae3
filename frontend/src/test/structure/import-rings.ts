import type { ImportGraph } from './source-files';

/** Files that import each other in a cycle, one cycle per group, in the order of the imports. */
export function importRings(graph: ImportGraph): string[][] {
  const done = new Set<string>();
  const rings: string[][] = [];

  function visit(file: string, trail: string[]): void {
    const start = trail.indexOf(file);
    if (start >= 0) {
      rings.push([...trail.slice(start), file]);
      return;
    }
    if (done.has(file)) {
      return;
    }
    for (const imported of graph.get(file) ?? []) {
      visit(imported, [...trail, file]);
    }
    done.add(file);
  }

  for (const file of graph.keys()) {
    visit(file, []);
  }
  return rings;
}
