import ts from 'typescript';
import type { SourceFiles } from './source-files';

/** Files with more lines than allowed: "app/routes.tsx has 700 lines". */
export function longFiles(files: SourceFiles, limit: number): string[] {
  return [...files]
    .map(([path, text]) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > limit)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

/**
 * Functions with more lines than allowed: "app/routes.tsx:12 has a function of 90 lines". Groups of tests do not count.
 * A `test.step` is a function of its own: its lines do not count for the surrounding test.
 */
export function longFunctions(files: SourceFiles, limit: number): string[] {
  return [...files].flatMap(([path, text]) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
    const found: string[] = [];

    function linesOf(node: ts.Node): number {
      return lineOf(node.end) - lineOf(node.getStart()) + 1 - linesOfSteps(node);
    }

    /** The lines of the outermost steps, without their first and last ones. */
    function linesOfSteps(node: ts.Node): number {
      let lines = 0;
      ts.forEachChild(node, (child) => {
        lines += isStep(child) ? lineOf(child.end) - lineOf(child.getStart()) - 1 : linesOfSteps(child);
      });
      return lines;
    }

    function visit(node: ts.Node): void {
      if (ts.isFunctionLike(node) && !isTestGroup(node)) {
        const lines = linesOf(node);
        if (lines > limit) {
          found.push(`${path}:${lineOf(node.getStart())} has a function of ${lines} lines`);
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

/** The callback of a `test.step` that takes at least two lines. */
function isStep(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isArrowFunction(node) &&
    node.getText().includes('\n') &&
    ts.isCallExpression(parent) &&
    parent.expression.getText() === 'test.step'
  );
}
