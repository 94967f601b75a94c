import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toReadable } from './markdown-of-page.ts';
import { indexOf, pages, readPage, sections, titleOf, toSitePath } from './pages.ts';

const readable = (page: string): string => toReadable(readPage(page), page);

/** Returns the first paragraph of a page on one line. */
const summaryOf = (page: string): string => {
  const [, after = ''] = /^# .+\n([\s\S]*)$/m.exec(readable(page)) ?? [];
  const paragraphs = after.split(/\n{2,}/).map((text) => text.trim().replace(/\s*\n\s*/g, ' '));
  return (paragraphs.find((text) => /^[\w`*[]/.test(text)) ?? '').replace(/\]\([^)]*\)/g, ']').replace(/[[\]]/g, '');
};

const toLine = (page: string): string => {
  const summary = summaryOf(page);
  return `- [${titleOf(page)}](${toSitePath(page)})${summary === '' ? '' : `: ${summary}`}`;
};

/** Returns the pages of a section. The decisions belong to "How it works". */
const pagesOf = (folder: string): readonly string[] =>
  pages.filter((page) => page.startsWith(`${folder}/`) || (folder === 'how-it-works' && page.startsWith('decisions/')));

const opening = (description: string): string => `# Gatewright\n\n> ${description}\n`;

/**
 * Writes the files for language models: the Markdown of each page beside the page, `llms.txt` (https://llmstxt.org) with a
 * line for each page, and `llms-full.txt` with all pages except the reference, which is larger than everything else.
 */
export const writeForLanguageModels = (folder: string, description: string): void => {
  for (const page of pages) {
    const to = path.join(folder, toSitePath(page));
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, readable(page));
  }
  const listed = sections.filter(([folder]) => indexOf(folder) !== undefined);
  const lists = listed.map(([folder, name]) => `## ${name}\n\n${pagesOf(folder).map(toLine).join('\n')}\n`);
  writeFileSync(path.join(folder, 'llms.txt'), [opening(description), ...lists].join('\n'));
  const whole = listed.filter(([folder]) => folder !== 'reference').flatMap(([folder]) => pagesOf(folder));
  writeFileSync(path.join(folder, 'llms-full.txt'), [opening(description), ...whole.map(readable)].join('\n'));
};
