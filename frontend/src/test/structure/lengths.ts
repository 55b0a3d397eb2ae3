import ts from 'typescript';
import type { SourceFiles } from './source-files';

/** Files with more lines than allowed: "app/routes.tsx has 700 lines". */
export function longFiles(files: SourceFiles, limit: number): string[] {
  return [...files]
    .map(([path, text]) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > limit)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

/** Functions with more lines than allowed: "app/routes.tsx:12 has a function of 90 lines". Groups of tests do not count. */
export function longFunctions(files: SourceFiles, limit: number): string[] {
  return [...files].flatMap(([path, text]) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
    const found: string[] = [];
    function visit(node: ts.Node): void {
      if (ts.isFunctionLike(node) && !isTestGroup(node)) {
        const [first, last] = [lineOf(node.getStart()), lineOf(node.end)];
        if (last - first + 1 > limit) {
          found.push(`${path}:${first} has a function of ${last - first + 1} lines`);
        }
      }
      ts.forEachChild(node, visit);
    }
    visit(file);
    return found;
  });
}

/** The callback of `describe` is a list of tests, not a function. */
function isTestGroup({ parent }: ts.Node): boolean {
  return ts.isCallExpression(parent) && /^describe\b/.test(parent.expression.getText());
}
