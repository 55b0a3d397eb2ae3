import data from '@mdn/browser-compat-data/forLegacyNode';
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data/types';
import type { Browsers } from './browsers.ts';

export const { api, css, javascript } = data;

/** The browsers that do not have a feature in their oldest version, or only behind a switch or a prefix. */
export function lacking(
  feature: Identifier | undefined,
  browsers: Browsers,
  prefixes: string[] = [],
): string[] {
  const compat = feature?.__compat;
  return compat ? Object.keys(browsers).filter((name) => !isSupported(compat, name, browsers, prefixes)) : [];
}

function isSupported(compat: CompatStatement, name: string, browsers: Browsers, prefixes: string[]): boolean {
  const support = compat.support[name as keyof typeof compat.support];
  if (support === undefined) {
    return true;
  }
  const oldest = browsers[name] ?? '';
  const statements: SimpleSupportStatement[] = Array.isArray(support) ? support : [support];
  return statements.some(
    ({ version_added: added, version_removed: removed, flags, prefix, alternative_name: alias }) =>
      typeof added === 'string' &&
      added !== 'preview' &&
      !flags &&
      !alias &&
      (!prefix || prefixes.includes(prefix)) &&
      !isLater(added, oldest) &&
      (typeof removed !== 'string' || isLater(removed, oldest)),
  );
}

function isLater(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.replace('≤', '').split('.').map(Number));
  const major = (a?.[0] ?? 0) - (b?.[0] ?? 0);
  return major === 0 ? (a?.[1] ?? 0) > (b?.[1] ?? 0) : major > 0;
}

/** The direct subfeatures of a feature. */
export function childrenOf(feature: Identifier | undefined): [string, Identifier][] {
  return Object.entries(feature ?? {}).filter(([name]) => name !== '__compat') as [string, Identifier][];
}
