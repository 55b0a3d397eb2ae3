interface Exemption {
  /** Modules by their path below `frontend`, scripts and styles of the build by their name. */
  files: RegExp;
  features: RegExp;
  /** The reason why the oldest browsers do not need the feature, or never run the code. */
  reason: string;
}

const EXEMPTIONS: readonly Exemption[] = [
  {
    files: /^(node_modules\/@mantine\/|src\/shared\/ui\/stat-grid\.tsx$)/,
    features: /^Iterator\.toArray$/,
    reason: 'This is `Children.toArray` of React.',
  },
  {
    files: /^node_modules\/@floating-ui\/react\//,
    features: /^Navigator\.userAgentData$/,
    reason: 'Tested before use.',
  },
  {
    files: /^base$/,
    features: /^ClipboardItem$/,
    reason: 'Tested before use; otherwise the text is copied after the call.',
  },
  {
    files: /^portals$/,
    features: /^TouchEvent$/,
    reason: 'Tested before use, by use-long-press of Mantine.',
  },
  {
    files: /^node_modules\/qr\//,
    features: /^ArrayBuffer\.resize$/,
    reason: 'This is a method of its own classes.',
  },
  {
    files: /^node_modules\/react-dom\//,
    features: /^(Navigator\.connection|Document\.startViewTransition)$/,
    reason: 'Tested before use; no screen has view transitions.',
  },
  {
    files: /^react$/,
    features: /^Window\.navigation$/,
    reason: 'Tested before use: `typeof navigation`.',
  },
  {
    files: /^node_modules\/react-router\//,
    features: /^Document\.startViewTransition$/,
    reason: 'Tested before use; no screen has view transitions.',
  },
  {
    files: /^node_modules\/zod\//,
    features: /^Error\.captureStackTrace$/,
    reason: 'Tested before use.',
  },
  {
    files: /^src\/features\/presentation\/use-wake-lock\.ts$/,
    features: /^Navigator\.wakeLock$/,
    reason: 'Tested before use; otherwise a silent video keeps the screen awake.',
  },
  {
    files: /^src\/features\/presentation\/use-full-screen\.ts$/,
    features: /^(Document|Element)\.\w*(f|F)ullscreen\w*$/,
    reason: 'Tested before use: Safari up to 16.3 has full screen in its own menu.',
  },
  {
    files: /\.css$/,
    features: /^(cursor|resize|user-select)(: |$)/,
    reason: 'For a pointer, which phones do not have.',
  },
  {
    files: /\.css$/,
    features:
      /^(-webkit-tap-highlight-color|scrollbar-width|text-(box-edge|box-trim|size-adjust|wrap))(: |$)/,
    reason: 'Appearance only: line breaks, bars and taps have browser defaults.',
  },
  {
    files: /^meetings-page\.css$/,
    features: /^(content-visibility|contain-intrinsic-size)(: |$)/,
    reason: 'Optimization: without it a long list is laid out at once.',
  },
  {
    files: /^(import-page|results-page|text-size)\.css$/,
    features: /^(@page|size|break-after|print-color-adjust|rx)(: |$)/,
    reason: 'Margins and breaks on paper, and round corners of bars.',
  },
  {
    files: /\.css$/,
    features: /^:has in .*\.m_[0-9a-f]{8}/,
    reason: 'Of Mantine: space for a clear button, which no field has, and dimmed fields.',
  },
  {
    files: /^portals\.css$/,
    features: /^:has in \._grid_/,
    reason: 'Three numbers in a row on phones; without it there are two in a row.',
  },
];

export function isExempt(file: string, feature: string): boolean {
  return EXEMPTIONS.some(({ files, features }) => files.test(file) && features.test(feature));
}
