import { describe, expect, it } from 'vitest';
import { featureImports } from './feature-imports';
import { importRings } from './import-rings';
import { longFiles, longFunctions } from './lengths';
import { readStyleFiles, repeatedStyles } from './repeated-styles';
import { importGraph, readSourceFiles } from './source-files';

describe('the front end', () => {
  const files = readSourceFiles('src');
  const graph = importGraph(files);

  it('has no files that import one another in a ring', () => {
    expect(importRings(graph)).toEqual([]);
  });

  it('has no feature that imports more than the queries of another one', () => {
    expect(featureImports(graph)).toEqual([]);
  });

  it('has no file over 600 lines', () => {
    expect(longFiles(files, 600)).toEqual([]);
  });

  it('has no function over 80 lines', () => {
    expect(longFunctions(files, 80)).toEqual([]);
  });

  it('has no three style rules in a row that stand in two files', () => {
    const styles = readStyleFiles('src');
    expect(styles.size).toBeGreaterThan(50);
    expect(repeatedStyles(styles, 3)).toEqual([]);
  });

  it('has no browser test and no step of one over 80 lines', () => {
    const tests = readSourceFiles('e2e');
    expect(tests.size).toBeGreaterThan(20);
    expect(longFunctions(tests, 80)).toEqual([]);
  });
});

describe('the analysis', () => {
  it('finds a ring through three folders, and names its files in order', () => {
    const graph = importGraph(
      new Map([
        ['app/start.ts', "import { ask } from '../features/vote/ask';"],
        ['features/vote/ask.ts', "import type { Answer } from '../../shared/answer';"],
        ['shared/answer.ts', "export { reply } from '../api/reply';\nimport './answer.module.css';"],
        ['api/reply.ts', "const ask = () => import('../features/vote/ask');"],
      ]),
    );
    expect(importRings(graph)).toEqual([
      ['features/vote/ask.ts', 'shared/answer.ts', 'api/reply.ts', 'features/vote/ask.ts'],
    ]);
  });

  it('finds no ring where two files import the same one', () => {
    const graph = importGraph(
      new Map([
        ['a/one.ts', "import '../b/both';\nimport './two';"],
        ['a/two.ts', "import '../b/both';"],
        ['b/both.ts', "import 'react';"],
      ]),
    );
    expect(importRings(graph)).toEqual([]);
  });

  it('finds an import of another feature, and accepts its queries', () => {
    const graph = importGraph(
      new Map([
        ['features/a/page.ts', "import '../b/queries';\nimport '../b/list/form';\nimport './list/row';"],
        ['features/a/list/row.ts', "import '../../../shared/row';"],
        ['features/b/queries.ts', ''],
        ['features/b/list/form.ts', ''],
        ['shared/row.ts', ''],
      ]),
    );
    expect(featureImports(graph)).toEqual(['features/a/page.ts imports features/b/list/form.ts']);
  });

  it('finds long files and functions, and no group of tests', () => {
    const files = new Map([
      ['long.ts', 'function long() {\n  a();\n  b();\n}\n'],
      ['group.test.ts', "describe('x', () => {\n  a();\n  b();\n});\n"],
      ['short.ts', 'const short = () => {\n  a();\n};\n'],
    ]);
    expect(longFiles(files, 3)).toEqual(['long.ts has 4 lines', 'group.test.ts has 4 lines']);
    expect(longFunctions(files, 3)).toEqual(['long.ts:1 has a function of 4 lines']);
  });

  it('finds style rules in a row that stand in another file, and accepts fewer', () => {
    const rule = (name: string) => `.${name} {\n  margin: 0;\n\n  p {\n    margin: 0;\n  }\n}\n`;
    const files = new Map([
      ['a.module.css', `${rule('list')}\n/* The row. */\n${rule('row')}`],
      ['b.module.css', `${rule('root')}\n${rule('list')}\n${rule('row')}`],
      ['c.module.css', `${rule('list')}\n${rule('root')}\n${rule('row')}`],
    ]);
    expect(repeatedStyles(files, 2)).toEqual(['b.module.css repeats .list of a.module.css']);
  });

  it('counts a step of a browser test by itself, and not in the test around it', () => {
    const step = (lines: number) =>
      `  await test.step('s', async () => {\n${'    a();\n'.repeat(lines)}  });\n`;
    const files = new Map([
      ['steps.ts', `test('x', async () => {\n${step(3)}${step(3)}});\n`],
      ['step.ts', `test('x', async () => {\n${step(5)}});\n`],
      ['body.ts', `test('x', async () => {\n${step(3)}${'  a();\n'.repeat(3)}});\n`],
    ]);
    expect(longFunctions(files, 6)).toEqual([
      'step.ts:2 has a function of 7 lines',
      'body.ts:1 has a function of 7 lines',
    ]);
  });
});
