/** The code that names a person to a desk, as the server writes it for their phone. It is no credential. */
export function checkInCode(endUserId: string): string {
  return `PLENUM-IN:${endUserId.replaceAll('-', '').toUpperCase()}`;
}
