import type { Accent } from '../../api/types';

const COLOR = /^#[0-9a-f]{6}$/;

/** The variables that Plenum's own accent sets, in both themes. Yes, no and abstain keep their colors. */
export function accentStyle({ color, soft, dark, darkSoft }: Accent): string {
  return [color, soft, dark, darkSoft].every((one) => COLOR.test(one))
    ? variables('light', color, soft, '#ffffff') + variables('dark', dark, darkSoft, '#171614')
    : '';
}

function variables(scheme: string, accent: string, soft: string, onAccent: string): string {
  const values = {
    '--plenum-accent': accent,
    '--plenum-accent-soft': soft,
    '--plenum-on-accent': onAccent,
    '--mantine-color-anchor': accent,
    '--mantine-primary-color-filled': accent,
    '--mantine-primary-color-filled-hover': accent,
    '--mantine-color-teal-filled': accent,
    '--mantine-color-teal-filled-hover': accent,
    '--mantine-color-teal-light': soft,
    '--mantine-color-teal-light-hover': soft,
    '--mantine-color-teal-light-color': accent,
    '--mantine-color-teal-outline': accent,
    '--mantine-color-teal-text': accent,
  };
  const text = Object.entries(values).map(([name, value]) => `${name}:${value}`);
  // Twice :root, to come before the theme's own variables wherever they stand.
  return `:root:root[data-mantine-color-scheme="${scheme}"]{${text.join(';')}}`;
}
