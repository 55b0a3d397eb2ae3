const DYNAMIC = /(\d)dv([hw])\b/g;

/**
 * PostCSS: adds a `vh` fallback before each height in `dvh`, for browsers without `dvh` (Chrome up to 107, Samsung Internet
 * up to 20). Otherwise a page there is only as high as its content.
 */
export function viewportFallback() {
  return {
    postcssPlugin: 'plenum-viewport-fallback',
    OnceExit(root) {
      root.walkDecls((declaration) => {
        const fallback = declaration.value.replace(DYNAMIC, '$1v$2');
        if (fallback !== declaration.value && !declaration.prop.startsWith('--')) {
          declaration.cloneBefore({ value: fallback });
        }
      });
    },
  };
}
