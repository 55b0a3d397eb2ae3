/** The oldest version of each browser, by its name in MDN's data. Browsers of phones have separate releases. */
export type Browsers = Readonly<Record<string, string>>;

/** The oldest browsers for voters' screens, on any phone. docs/operations.md lists them. */
export const VOTER: Browsers = {
  safari: '15.4',
  safari_ios: '15.4',
  chrome: '99',
  chrome_android: '99',
  edge: '99',
  firefox: '102',
  firefox_android: '102',
  samsunginternet_android: '18.0',
};

/**
 * The oldest browsers for organizers and presentations. The presentation uses container sizes; dialogs use the dynamic
 * viewport height.
 */
export const ORGANIZER: Browsers = {
  safari: '16.0',
  safari_ios: '16.0',
  chrome: '108',
  chrome_android: '108',
  edge: '108',
  firefox: '110',
  // Earlier versions cannot print.
  firefox_android: '114',
  samsunginternet_android: '21.0',
};

/** The oldest browsers for the build, which writes one set of files for all. Samsung Internet 18 is Chromium 99. */
export const BUILD_TARGET = ['safari15.4', 'ios15.4', 'chrome99', 'edge99', 'firefox102'];

const NAMES: Record<string, string> = {
  safari: 'Safari',
  safari_ios: 'Safari on iOS',
  chrome: 'Chrome',
  chrome_android: 'Chrome on Android',
  edge: 'Edge',
  firefox: 'Firefox',
  firefox_android: 'Firefox on Android',
  samsunginternet_android: 'Samsung Internet',
};

/** `Safari 15.4, Chrome 99`. */
export function spelledOut(names: readonly string[], browsers: Browsers): string {
  return names.map((name) => `${NAMES[name] ?? name} ${browsers[name]}`).join(', ');
}
