/**
 * Checks that the lists of packages of a release are CycloneDX, of its version, and not empty:
 * `node check-sboms.mjs FOLDER VERSION`.
 */
import { readFileSync, readdirSync } from 'node:fs';

const [folder, packageVersion] = process.argv.slice(2);
const version = packageVersion.replace('~', '-');
const names = readdirSync(folder).filter((name) => name.endsWith('.cdx.json'));
/** Packages without which a list cannot be whole. */
const EXPECTED = { crates: ['actix-web', 'diesel', 'rustls'], frontend: ['react', '@mantine/core'], fonts: [] };

for (const [list, expected] of Object.entries(EXPECTED)) {
  const name = `plenum-${version}-${list}.cdx.json`;
  if (!names.includes(name)) {
    throw new Error(`${name} is missing among ${names.join(', ')}`);
  }
  const { bomFormat, components } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
  const listed = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
  const missing = expected.filter((name) => !listed.has(name));
  if (bomFormat !== 'CycloneDX' || listed.size === 0 || missing.length > 0) {
    throw new Error(`${name} is no list of the packages: ${listed.size} are listed, without ${missing.join(', ')}`);
  }
}
