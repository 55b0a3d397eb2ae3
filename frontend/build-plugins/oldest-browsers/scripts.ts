import type { Identifier } from '@mdn/browser-compat-data/types';
import { parseAst } from 'vite';
import type { Browsers } from './browsers.ts';
import { api, childrenOf, javascript, lacking } from './support.ts';

/** A feature that a script or style uses, and the browsers that lack it. */
export interface Use {
  feature: string;
  browsers: string[];
}

interface Feature {
  name: string;
  identifier: Identifier;
}

interface Node {
  type: string;
  [key: string]: unknown;
}

/** The names by which scripts refer to single objects. */
const INTERFACES: Record<string, string> = {
  crypto: 'Crypto',
  document: 'Document',
  globalThis: 'Window',
  history: 'History',
  location: 'Location',
  navigator: 'Navigator',
  performance: 'Performance',
  window: 'Window',
};

/** Interfaces whose objects have any name, so that each call of their methods counts. */
const INSTANCES = [
  'AbortSignal',
  'Blob',
  'Document',
  'Element',
  'EventSource',
  'File',
  'FormData',
  'HTMLDialogElement',
  'HTMLElement',
  'HTMLFormElement',
  'HTMLInputElement',
  'Node',
  'Request',
  'Response',
  'URL',
  'URLSearchParams',
];

// The code never disposes of resources, and `use` is React's.
const builtins = childrenOf(javascript.builtins).filter(([name]) => !name.endsWith('DisposableStack'));
const interfaces = childrenOf(api);

/** Namespaces without objects: `run.pause()` is not `Atomics.pause()`. */
const NAMESPACES = ['Atomics', 'Intl', 'JSON', 'Math', 'Reflect', 'Temporal', 'WebAssembly'];

/** Shorter names are usually minified ones: `ML` is rarely the machine learning API. */
const SHORTEST_GLOBAL = 4;

/** `Object.hasOwn`, `Navigator.locks`. */
const exact = new Map<string, Feature>();
/** `toSorted`, of any interface. */
const members = new Map<string, Feature[]>();
/** `structuredClone`, `BroadcastChannel`. */
const globals = new Map<string, Feature[]>();

for (const [name, identifier] of [...builtins, ...interfaces]) {
  if (isStandard(identifier)) {
    note(globals, name, { name, identifier });
  }
  const isInstance = INSTANCES.includes(name) || (isBuiltin(name) && !NAMESPACES.includes(name));
  for (const [key, member] of childrenOf(identifier)) {
    if (/_(event|permission)$/.test(key) || !isStandard(member)) {
      continue;
    }
    const plain = key.replace(/_static$/, '');
    const feature = { name: `${name}.${plain}`, identifier: member };
    exact.set(feature.name, feature);
    if (isInstance) {
      note(members, plain, feature);
    }
    if (name === 'Window') {
      note(globals, plain, feature);
    }
  }
}

function isBuiltin(name: string): boolean {
  return builtins.some(([builtin]) => builtin === name);
}

function isStandard({ __compat }: Identifier): boolean {
  return __compat?.status?.standard_track !== false;
}

function note(map: Map<string, Feature[]>, name: string, feature: Feature): void {
  map.set(name, [...(map.get(name) ?? []), feature]);
}

/** Members that a module of the build calls, and that some of the browsers lack. */
export function missingInModule(code: string, browsers: Browsers): Use[] {
  return missing(code, browsers, (node, parent) =>
    node.type === 'MemberExpression' ? featuresOfMember(node, parent) : [],
  );
}

/**
 * Globals and patterns in a built file that some of the browsers lack. Minified names are short, so a known name is a
 * global.
 */
export function missingInChunk(code: string, browsers: Browsers): Use[] {
  return missing(code, browsers, (node, parent) => {
    if (node.type === 'Identifier' && isReference(node, parent)) {
      return globals.get(String(node.name)) ?? [];
    }
    return node.type === 'Literal' && node.regex ? featuresOfPattern(node.regex as Pattern) : [];
  });
}

function missing(
  code: string,
  browsers: Browsers,
  featuresOf: (node: Node, parent: Node | null) => Feature[],
): Use[] {
  const found = new Map<string, string[]>();
  walk(parseAst(code, { lang: 'js' }) as unknown as Node, null, (node, parent) => {
    const features = featuresOf(node, parent);
    const lacks = features.map(({ identifier }) => lacking(identifier, browsers));
    // Another feature of the same name exists in all browsers, so the name alone is not conclusive.
    if (features[0] && lacks.every((names) => names.length > 0)) {
      found.set(features[0].name, lacks[0] ?? []);
    }
  });
  return [...found].map(([feature, names]) => ({ feature, browsers: names }));
}

function featuresOfMember(node: Node, parent: Node | null): Feature[] {
  const { object, property, computed } = node as unknown as {
    object: Node;
    property: Node;
    computed: boolean;
  };
  const member = computed
    ? property.type === 'Literal'
      ? String(property.value)
      : ''
    : String(property.name);
  const owner = object.type === 'Identifier' ? String(object.name) : '';
  const known = exact.get(`${INTERFACES[owner] ?? owner}.${member}`);
  if (known) {
    return [known];
  }
  // A property can be anything. A called method usually is the one of the standard.
  const isCalled = parent?.type === 'CallExpression' && parent.callee === node;
  // A member of a known global belongs to it: `Object.union` is not a set's method.
  return isCalled && !globals.has(owner) ? (members.get(member) ?? []) : [];
}

/** Whether a name is an identifier, and not a member or key. */
function isReference(node: Node, parent: Node | null): boolean {
  const isMember = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed;
  const isKey =
    /^(Property|MethodDefinition|PropertyDefinition)$/.test(parent?.type ?? '') && parent?.key === node;
  const isPassedOn = /^(Im|Ex)portSpecifier$/.test(parent?.type ?? '');
  return String(node.name).length >= SHORTEST_GLOBAL && !isMember && !isKey && !isPassedOn;
}

interface Pattern {
  pattern: string;
  flags: string;
}

function featuresOfPattern({ pattern, flags }: Pattern): Feature[] {
  const known = javascript.regular_expressions as Identifier;
  const instances = javascript.builtins?.RegExp as Identifier;
  const used: [boolean, string, Identifier | undefined][] = [
    [/\(\?<[=!]/.test(pattern), 'a lookbehind in a pattern', known.lookbehind_assertion],
    [/\(\?-?[ims]+(-[ims]+)?:/.test(pattern), 'a modifier in a pattern', known.modifier],
    [flags.includes('v'), 'the flag v of a pattern', instances.unicodeSets],
    [flags.includes('d'), 'the flag d of a pattern', instances.hasIndices],
  ];
  return used.flatMap(([isUsed, name, identifier]) => (isUsed && identifier ? [{ name, identifier }] : []));
}

function walk(node: Node, parent: Node | null, visit: (node: Node, parent: Node | null) => void): void {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof (child as Node).type === 'string') {
        walk(child as Node, node, visit);
      }
    }
  }
}
