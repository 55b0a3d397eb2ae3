import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';

/** Source files by path, such as `features/control/queries.ts`. */
export type SourceFiles = ReadonlyMap<string, string>;

/** The files that each file imports, types included. Packages and styles are excluded. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Reads all TypeScript files below a folder, except the generated API types. */
export function readSourceFiles(folder: string): SourceFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && path !== 'api/schema.d.ts')
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(posix.join(folder, path), 'utf8')]));
}

export function importGraph(files: SourceFiles): ImportGraph {
  return new Map(
    [...files].map(([path, text]) => [
      path,
      ts
        .preProcessFile(text)
        .importedFiles.map(({ fileName }) => fileOf(files, path, fileName))
        .filter((imported) => imported !== undefined),
    ]),
  );
}

function fileOf(files: SourceFiles, from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) {
    return undefined;
  }
  const target = posix.join(posix.dirname(from), specifier);
  return ['', '.ts', '.tsx'].map((ending) => target + ending).find((path) => files.has(path));
}
