const DYNAMIC = /(\d)dv([hw])\b/g;

/**
 * PostCSS: says each height in `dvh` in `vh` first, for browsers that do not know `dvh` (Chrome up to 107, Samsung Internet
 * up to 20). Else a page there is as high as what stands in it.
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
