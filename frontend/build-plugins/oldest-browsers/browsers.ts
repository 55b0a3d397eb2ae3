/** The oldest version of each browser, by its name in MDN's data. Those of phones are releases of their own. */
export type Browsers = Readonly<Record<string, string>>;

/** Where people vote: whatever phone they bring. docs/operations.md says so. */
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

/** Where meetings are organized and presented: the presentation is laid out by the size of its
 * container, and dialogs by what a browser leaves of the screen. */
export const ORGANIZER: Browsers = {
  safari: '16.0',
  safari_ios: '16.0',
  chrome: '108',
  chrome_android: '108',
  edge: '108',
  firefox: '110',
  // Earlier ones have nothing to print with.
  firefox_android: '114',
  samsunginternet_android: '21.0',
};

/** The same for the build, which writes one set of files for all. Samsung Internet 18 is Chromium 99. */
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
