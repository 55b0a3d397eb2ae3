// Leaves out work of a render that no test looks at: a fifth of the processor time of component tests.
import * as React from 'react';

/** What Mantine reads to measure a growing text field. */
const MEASURES =
  /^(border\w+Width|padding\w+|boxSizing|font\w+|letterSpacing|lineHeight|tabSize|text\w+|width|word\w+|scrollbarGutter)$/;
const OWNER_STACKS = 'recentlyCreatedOwnerStacks';

/**
 * Gives text fields no measures, and Mantine leaves their height as it is. Otherwise it measures after each key, and jsdom
 * would match all its rules with the field and everything around it, to say that the field has no size.
 */
export function measureNoTextFields(): void {
  const computed = window.getComputedStyle.bind(window);
  window.getComputedStyle = (element, pseudoElement) => {
    if (!(element instanceof HTMLTextAreaElement)) {
      return computed(element, pseudoElement);
    }
    let style: CSSStyleDeclaration | undefined;
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, name) => {
        if (typeof name === 'string' && MEASURES.test(name)) {
          return '';
        }
        style ??= computed(element, pseudoElement);
        const value: unknown = Reflect.get(style, name);
        return typeof value === 'function' ? value.bind(style) : value;
      },
    });
  };
}

/**
 * Tells React that it has made as many stack traces of elements as it makes in a second. It only prints them, for each
 * element, in warnings.
 */
export function traceNoElements(): void {
  const name = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
  const internals: unknown = Reflect.get(React, name);
  if (typeof internals !== 'object' || internals === null || !(OWNER_STACKS in internals)) {
    throw new Error(
      'React counts its stack traces in another place: look for `ownerStack` in its development build',
    );
  }
  Object.defineProperty(internals, OWNER_STACKS, {
    configurable: true,
    get: () => 10_000,
    set: () => undefined,
  });
}
