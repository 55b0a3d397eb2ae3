import type { Rollup } from 'vite';

/** The chunk, its static imports, and their styles. */
export function filesOf(
  chunk: Rollup.OutputChunk,
  known: Map<string, Rollup.OutputChunk>,
  seen = new Set<string>(),
): string[] {
  if (seen.has(chunk.fileName)) {
    return [];
  }
  seen.add(chunk.fileName);
  const imported = chunk.imports.flatMap((name) => {
    const next = known.get(name);
    return next ? filesOf(next, known, seen) : [];
  });
  return [...imported, chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])];
}
