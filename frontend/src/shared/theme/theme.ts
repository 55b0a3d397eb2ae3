import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';

/** The only accent color, for the next action. Shade 7 has 7:1 on white, shade 3 has 7:1 on the dark page. */
const teal: MantineColorsTuple = [
  '#eef6f5',
  '#d9ebe9',
  '#b1d8d4',
  '#86c5bf',
  '#5caea7',
  '#34918b',
  '#1c7872',
  '#0f5e5a',
  '#0b4e4b',
  '#083d3a',
];

/** Warm neutrals. */
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ee',
  '#eae7e1',
  '#dedad2',
  '#c9c4ba',
  '#948e83',
  '#6b665d',
  '#534f47',
  '#38352f',
  '#22201c',
];

/** The dark theme's own neutrals: warm as well, without pure black. */
const dark: MantineColorsTuple = [
  '#ece9e4',
  '#d3cfc8',
  '#aca79e',
  '#969188',
  '#45413b',
  '#38342f',
  '#272421',
  '#171614',
  '#121110',
  '#0c0b0a',
];

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 3 },
  // Mantine chooses the text color of a filled control for the light theme only. The dark accent needs dark text.
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input);
    const isAccent = input.color === undefined || input.color === input.theme.primaryColor;
    return input.variant === 'filled' && isAccent
      ? { ...resolved, color: 'var(--plenum-on-accent)' }
      : resolved;
  },
  colors: { teal, gray, dark },
  white: '#ffffff',
  black: '#22201c',
  fontFamily:
    "'Inter Variable', Inter, 'Inter Fallback', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: '1.5rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.4', xl: '1.3' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.25rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.5' },
    },
  },
  respectReducedMotion: true,
  focusRing: 'auto',
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { fw: 550 } },
    ModalRoot: { defaultProps: { centered: true, shadow: 'none' } },
    ModalOverlay: { defaultProps: { backgroundOpacity: 0.4 } },
    DrawerRoot: { defaultProps: { position: 'right', shadow: 'none' } },
    DrawerOverlay: { defaultProps: { backgroundOpacity: 0.4 } },
    Menu: { defaultProps: { shadow: 'none', withinPortal: true } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': 'Show password' },
      },
    },
    Loader: { defaultProps: { type: 'oval' } },
  },
});

/** Colors with a meaning, for both themes. Every text color passes AA on --plenum-surface and the body. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#faf9f7',
    '--mantine-color-text': '#22201c',
    '--mantine-color-dimmed': '#6b665d',
    '--mantine-color-placeholder': '#767066',
    '--mantine-color-error': '#a82a1f',
    '--mantine-color-anchor': '#0f5e5a',
    '--plenum-surface': '#ffffff',
    '--plenum-sunken': '#f4f2ee',
    '--plenum-hairline': '#e3dfd8',
    '--plenum-control-border': '#8b857a',
    '--plenum-accent': '#0f5e5a',
    '--plenum-accent-soft': '#e6f1f0',
    '--plenum-on-accent': '#ffffff',
    '--plenum-yes': '#1c4f9c',
    '--plenum-yes-soft': '#e8eff9',
    '--plenum-no': '#96480a',
    '--plenum-no-soft': '#fbeee2',
    '--plenum-abstain': '#5b564d',
    '--plenum-abstain-soft': '#f0eeea',
    '--plenum-good': '#1d6a3c',
    '--plenum-good-soft': '#e6f3ea',
    '--plenum-info': '#2b5797',
    '--plenum-info-soft': '#e9f0f8',
    '--plenum-warning': '#8a5300',
    '--plenum-warning-soft': '#fcf1dc',
    '--plenum-danger': '#a82a1f',
    '--plenum-danger-soft': '#fbeae8',
  },
  dark: {
    '--mantine-color-body': '#171614',
    '--mantine-color-text': '#ece9e4',
    '--mantine-color-dimmed': '#aca79e',
    '--mantine-color-placeholder': '#969188',
    '--mantine-color-error': '#f3a197',
    '--mantine-color-anchor': '#86c5bf',
    '--plenum-surface': '#1f1d1a',
    '--plenum-sunken': '#131211',
    '--plenum-hairline': '#34312c',
    '--plenum-control-border': '#7c766c',
    '--plenum-accent': '#86c5bf',
    '--plenum-accent-soft': '#1d302e',
    '--plenum-on-accent': '#0d1f1e',
    '--plenum-yes': '#93bbf3',
    '--plenum-yes-soft': '#1b2738',
    '--plenum-no': '#f0ae74',
    '--plenum-no-soft': '#33241a',
    '--plenum-abstain': '#bdb8ae',
    '--plenum-abstain-soft': '#2b2824',
    '--plenum-good': '#8fd0a4',
    '--plenum-good-soft': '#1b2e21',
    '--plenum-info': '#9dc0ee',
    '--plenum-info-soft': '#1c2735',
    '--plenum-warning': '#e9bd72',
    '--plenum-warning-soft': '#322817',
    '--plenum-danger': '#f3a197',
    '--plenum-danger-soft': '#381f1b',
  },
});
