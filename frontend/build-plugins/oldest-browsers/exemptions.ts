interface Exemption {
  /** Modules by their path below `frontend`, scripts and styles of the build by their name. */
  files: RegExp;
  features: RegExp;
  /** Why the oldest browsers do without, or never come there. */
  reason: string;
}

const EXEMPTIONS: readonly Exemption[] = [
  {
    files: /^(node_modules\/@mantine\/|src\/shared\/ui\/stat-grid\.tsx$)/,
    features: /^Iterator\.toArray$/,
    reason: 'It is `Children.toArray` of React.',
  },
  {
    files: /^node_modules\/@floating-ui\/react\//,
    features: /^Navigator\.userAgentData$/,
    reason: 'Asked for first.',
  },
  {
    files: /^base$/,
    features: /^ClipboardItem$/,
    reason: 'Asked for first; elsewhere the text is copied after the call.',
  },
  { files: /^desk$/, features: /^TouchEvent$/, reason: 'Asked for first, by use-long-press of Mantine.' },
  {
    files: /^node_modules\/react-dom\//,
    features: /^(Navigator\.connection|Document\.startViewTransition)$/,
    reason: 'Asked for first; no screen of ours has view transitions.',
  },
  {
    files: /^react$/,
    features: /^Window\.navigation$/,
    reason: 'Asked for first: `typeof navigation`.',
  },
  {
    files: /^node_modules\/react-router\//,
    features: /^Document\.startViewTransition$/,
    reason: 'Asked for first; no screen of ours has view transitions.',
  },
  {
    files: /^node_modules\/zod\//,
    features: /^Error\.captureStackTrace$/,
    reason: 'Asked for first.',
  },
  {
    files: /^src\/features\/presentation\/use-wake-lock\.ts$/,
    features: /^Navigator\.wakeLock$/,
    reason: 'Asked for first; elsewhere a silent video keeps the screen awake.',
  },
  {
    files: /^src\/features\/presentation\/use-full-screen\.ts$/,
    features: /^(Document|Element)\.\w*(f|F)ullscreen\w*$/,
    reason: 'Asked for first: Safari up to 16.3 fills the screen by its own menu.',
  },
  {
    files: /\.css$/,
    features: /^(cursor|resize|user-select)(: |$)/,
    reason: 'Of the pointer: phones have none.',
  },
  {
    files: /\.css$/,
    features:
      /^(-webkit-tap-highlight-color|scrollbar-width|text-(box-edge|box-trim|size-adjust|wrap))(: |$)/,
    reason: 'Looks alone: lines break, and bars and taps look, as the browser does it by itself.',
  },
  {
    files: /^meetings-page\.css$/,
    features: /^(content-visibility|contain-intrinsic-size)(: |$)/,
    reason: 'Saves work: without it a long list is laid out at once.',
  },
  {
    files: /^(import|results)-page\.css$/,
    features: /^(@page|size|break-after|print-color-adjust|rx)(: |$)/,
    reason: 'The margins and breaks of paper, and round corners of bars.',
  },
  {
    files: /\.css$/,
    features: /^:has in .*\.m_[0-9a-f]{8}/,
    reason: 'Of Mantine: room for a button that clears a field, which we have nowhere, and dimmed fields.',
  },
  {
    files: /^desk\.css$/,
    features: /^:has in \._grid_/,
    reason: 'Three figures in a row on phones; without it they stand two and two.',
  },
];

export function isExempt(file: string, feature: string): boolean {
  return EXEMPTIONS.some(({ files, features }) => files.test(file) && features.test(feature));
}
