import path from 'node:path';
import { pages, toSitePath } from '../../../../docs/.vitepress/pages.ts';
import { sampleNumber, thinned } from '../../../support/sampled-pairs.ts';

/** The home page, and pages with wide tables and long blocks of code. */
const widePages = [
  ...['index.md', 'recipes/claude-code.md', 'reference/config/strategy.md', 'reference/errors/limits.md'],
  ...['reference/diagnostics/unknown-target.md', 'how-it-works/comparison.md'],
];

/** A page of each folder, which is another one in each sample. */
const ofEachFolder = [...Map.groupBy(pages, (page) => path.posix.dirname(page)).values()].flatMap((group) =>
  group.slice(sampleNumber % group.length, (sampleNumber % group.length) + 1),
);

/** The addresses of the pages that are looked at in a browser: some of each kind, and all with SAMPLE=all. */
export const sampledAddresses: readonly string[] = (
  thinned(2) === 1 ? pages : [...new Set([...widePages, ...ofEachFolder])]
).map((page) => toSitePath(page).replace(/md$/, 'html'));
