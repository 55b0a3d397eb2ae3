/** By then the browser has taken what the address leads to; at once would be too early for Safari. */
const REVOKE_AFTER_MS = 60_000;

/** Hands a file to the browser, which keeps it where downloads go. */
export function downloadFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** Hands a text to the browser as a file. */
export function downloadText(fileName: string, text: string): void {
  downloadFile(fileName, new Blob([text], { type: 'text/plain;charset=utf-8' }));
}
