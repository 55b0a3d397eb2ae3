import type { Identifier } from '@mdn/browser-compat-data/types';
import postcss, { type AtRule, type ChildNode, type Container, type Declaration, type Rule } from 'postcss';
import type { Browsers } from './browsers.ts';
import type { Use } from './scripts.ts';
import { css, lacking } from './support.ts';

const PREFIXES = ['-webkit-', '-moz-'];

const types = css.types as Identifier;
const lengths = types.length as Identifier;
/** The units, by the group in MDN's data. */
const UNITS: [RegExp, Identifier | undefined][] = [
  [/^dv([hwib]|min|max)$/, lengths.viewport_percentage_units_dynamic],
  [/^lv([hwib]|min|max)$/, lengths.viewport_percentage_units_large],
  [/^sv([hwib]|min|max)$/, lengths.viewport_percentage_units_small],
  [/^cq([hwib]|min|max)$/, lengths.container_query_length_units],
];

/** The features of a style that some of the browsers lack: rules, selectors, properties, values, functions and units. */
export function missingInStyle(style: string, browsers: Browsers): Use[] {
  const found = new Map<string, string[]>();
  const report = (feature: string, identifier: Identifier | undefined, prefixes: string[] = []) => {
    const names = lacking(identifier, browsers, prefixes);
    if (names.length > 0) {
      found.set(feature, names);
    }
  };
  postcss.parse(style).walk((node) => {
    if (isInSupports(node)) {
      // Tested before use, by `@supports`.
    } else if (node.type === 'atrule') {
      reportAtRule(node, report);
    } else if (node.type === 'rule') {
      reportRule(node, report);
    } else if (node.type === 'decl') {
      reportDeclaration(node, report);
    }
  });
  return [...found].map(([feature, names]) => ({ feature, browsers: names }));
}

function isInSupports(node: ChildNode): boolean {
  const parent = node.parent as Container | undefined;
  const isAsked = parent?.type === 'atrule' && (parent as AtRule).name === 'supports';
  return isAsked || (parent !== undefined && parent.type !== 'root' && isInSupports(parent as ChildNode));
}

type Report = (feature: string, identifier: Identifier | undefined, prefixes?: string[]) => void;

function reportAtRule({ name, params }: AtRule, report: Report): void {
  const rules = css['at-rules'] as Identifier;
  report(`@${name}`, rules[name]);
  if (name === 'media' && /[<>=]/.test(params)) {
    report('a range in @media', rules.media?.range_syntax);
  }
}

function reportRule({ selector, parent }: Rule, report: Report): void {
  const selectors = css.selectors as Identifier;
  for (const [, name] of selector.matchAll(/::?([a-z][a-z-]*)/g)) {
    report(`:${name} in ${selector}`, selectors[name ?? '']);
  }
  if (parent?.type === 'rule') {
    report('a nested rule', selectors.nesting);
  }
}

function reportDeclaration(declaration: Declaration, report: Report): void {
  const { prop, value } = declaration;
  const property = (css.properties as Identifier)[prop];
  const beside = siblingsOf(declaration);
  const prefixes = PREFIXES.filter((prefix) => beside.some((other) => other.prop === `${prefix}${prop}`));
  report(prop, property, prefixes);
  for (const [word] of value.matchAll(/[a-z][a-z-]+/g)) {
    report(`${prop}: ${word}`, property?.[word], PREFIXES);
  }
  // An earlier declaration in the same rule is the fallback for older browsers.
  if (beside.some((other) => other.prop === prop && other !== declaration)) {
    return;
  }
  for (const [, name = ''] of value.matchAll(/([a-z][a-z-]*)\(/g)) {
    report(`${name}()`, types[name] ?? types.color?.[name]);
  }
  for (const [, unit = ''] of value.matchAll(/\d([a-z]+)\b/g)) {
    const group = UNITS.find(([names]) => names.test(unit));
    report(`the unit ${unit}`, group?.[1] ?? lengths[unit]);
  }
}

function siblingsOf({ parent }: Declaration): Declaration[] {
  return (parent?.nodes ?? []).filter((node): node is Declaration => node.type === 'decl');
}
