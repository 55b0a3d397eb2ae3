import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Typesetting is slow in a debug build on a busy machine. */
const EXPORT_MS = 60_000;

/** Exports the results of the page in one of the menu's formats, and returns the file. */
export async function exportAs(page: Page, entry: string): Promise<{ name: string; bytes: Uint8Array }> {
  await page.getByRole('button', { name: 'Export Results' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: EXPORT_MS }),
    page.getByRole('menuitem', { name: entry }).click(),
  ]);
  const path = await download.path();
  return { name: download.suggestedFilename(), bytes: new Uint8Array(await readFile(path)) };
}

/** All cells of all sheets of a workbook, one after another. */
export function textOfWorkbook(bytes: Uint8Array): string {
  const files = unzipSync(bytes);
  const read = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const shared = [...read('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, item = '']) =>
    plain(item),
  );
  const sheets = Object.keys(files).filter((name) => name.startsWith('xl/worksheets/sheet'));
  expect(sheets.length, 'sheets').toBeGreaterThan(0);
  return sheets.map((name) => cellsOf(read(name), shared).join('\t')).join('\n');
}

function cellsOf(sheet: string, shared: string[]): string[] {
  return [...sheet.matchAll(/<c ([^>]*)>(.*?)<\/c>/gs)].map(([, attributes = '', content = '']) => {
    const value = /<v>(.*?)<\/v>/s.exec(content)?.[1] ?? content;
    return attributes.includes('t="s"') ? (shared[Number(value)] ?? '') : plain(value);
  });
}

function plain(xml: string): string {
  return xml
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** The text of each page of a PDF, with single spaces. */
export async function pagesOfPdf(bytes: Uint8Array): Promise<string[]> {
  // The PDF reader takes over the buffer, so it gets a copy.
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const words = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : ''));
    pages.push(words.join('').replaceAll(/\s+/g, ' '));
  }
  return pages;
}
