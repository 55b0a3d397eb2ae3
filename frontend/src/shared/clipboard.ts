/** Copies a text. Returns false if the browser refuses; the caller then shows the text to copy by hand. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // A permission refused it. The older way may still work.
  }
  return copyBySelection(text);
}

/**
 * Copies a text that a request still has to return. WebKit allows a page to write to the clipboard only within the
 * click. So the write begins there, with a promise of the text. Throws if the request fails.
 */
export async function copyComingText(coming: Promise<string>): Promise<boolean> {
  try {
    if (typeof ClipboardItem === 'function' && navigator.clipboard?.write) {
      const blob = coming.then((text) => new Blob([text], { type: 'text/plain' }));
      // A refused write does not wait for it. The end of this function reports a failed request.
      blob.catch(() => undefined);
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      return true;
    }
  } catch {
    // Refused, or the clipboard takes no promises. Once the text is known, the usual ways may work.
  }
  return copyText(await coming);
}

/** The clipboard interface exists on https and localhost only; a hall's server may be plain http. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
