import { localStorageColorSchemeManager } from '@mantine/core';

/**
 * Where the browser keeps whether somebody wants it light or dark. The big screen has its own: it is often opened by
 * the laptop that the meeting is led with, and what suits the hall does not suit the desk.
 */
const isBigScreen = window.location.pathname.includes('/presentation/');

export const colorSchemeNote = localStorageColorSchemeManager({
  key: isBigScreen ? 'bigScreenColorScheme' : 'mantine-color-scheme-value',
});
