/**
 * Makes a CycloneDX document depend on the source alone, and leaves out what only development needs: `node normalize-sbom.mjs SOURCE < IN > OUT`. Folders of this machine
 * become /plenum, the time is SOURCE_DATE_EPOCH, and the serial number is derived from the content.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const source = process.argv[2];
const epoch = Number(process.env.SOURCE_DATE_EPOCH);
if (!source || !Number.isInteger(epoch)) {
  throw new Error('The folder of the source and SOURCE_DATE_EPOCH are needed.');
}

const document = JSON.parse(readFileSync(0, 'utf8').replaceAll(source, '/plenum'));
delete document.serialNumber;
// npm marks the packages that only development needs.
const isBuiltIn = ({ properties = [] }) => properties.every(({ name }) => name !== 'cdx:npm:package:development');
const left = new Set(document.components?.filter((one) => !isBuiltIn(one)).map((one) => one['bom-ref']));
document.components = document.components?.filter(isBuiltIn);
document.dependencies = document.dependencies
  ?.filter(({ ref }) => !left.has(ref))
  .map((one) => ({ ...one, dependsOn: one.dependsOn?.filter((ref) => !left.has(ref)) }));
document.metadata.timestamp = new Date(epoch * 1000).toISOString();
document.components?.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
document.dependencies?.sort((a, b) => (a.ref < b.ref ? -1 : 1));

// A UUID of version 8 (RFC 9562): its digits are our own.
const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex');
const digits = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`;
const serialNumber = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, 'urn:uuid:$1-$2-$3-$4-$5');

const { bomFormat, specVersion, ...rest } = document;
process.stdout.write(`${JSON.stringify({ bomFormat, specVersion, serialNumber, ...rest }, null, 2)}\n`);
