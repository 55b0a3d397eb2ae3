/** Thrown if the browser cannot read a file: it was moved meanwhile, or its drive was removed. */
export class UnreadableFile extends Error {}

/** The content of a file in Base64. */
export function toBase64(file: File): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => fail(new UnreadableFile());
    reader.readAsDataURL(file);
  });
}
