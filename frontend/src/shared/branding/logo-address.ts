import { apiUrl } from '../../api/base-path';

/** The address of an organization's logo. It changes with the logo, so that browsers keep the file. */
export function logoAddress(clientCode: string, version: string): string {
  return `${apiUrl}/public/client/${encodeURIComponent(clientCode)}/logo?v=${encodeURIComponent(version)}`;
}
