/**
 * An access token in the server's format, with the claims that the browser reads. `id` distinguishes tokens of one
 * session.
 */
export function tokenOf(
  claims: { sub: string; sid?: string },
  { endsInSeconds = 900, id = 1 }: { endsInSeconds?: number; id?: number } = {},
): string {
  const exp = Math.floor(Date.now() / 1000) + endsInSeconds;
  return `head.${btoa(JSON.stringify({ ...claims, id, iat: exp - 900, exp }))}.signature`;
}
