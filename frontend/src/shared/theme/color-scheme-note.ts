import { localStorageColorSchemeManager } from '@mantine/core';

/**
 * Whether this is the presentation, which stores a color scheme of its own: the laptop of the control view often opens
 * it, and the hall may need another scheme than the laptop.
 */
const isBigScreen = window.location.pathname.includes('/presentation/');

export const colorSchemeNote = localStorageColorSchemeManager({
  key: isBigScreen ? 'bigScreenColorScheme' : 'mantine-color-scheme-value',
});
