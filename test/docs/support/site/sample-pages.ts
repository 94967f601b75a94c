import path from 'node:path';
import { pages, toSitePath } from '../../../../docs/.vitepress/pages.ts';
import { isSampled, sampleNumber, thinned } from '../../../support/run/sampled-pairs.ts';

/** How a page is viewed in a browser. */
export const looks = ['in light', 'in dark', 'without JavaScript'] as const;

/** The home page, and pages with wide tables and long blocks of code. */
const widePages = [
  ...['index.md', 'recipes/claude-code.md', 'reference/config/strategy.md', 'reference/errors/limits.md'],
  ...['reference/diagnostics/unknown-target.md', 'how-it-works/comparison.md'],
];

/**
 * It stays the same for as many samples as there are views, so that a page is viewed in each way before another page of its
 * folder is.
 */
const turn = Math.floor(sampleNumber / looks.length);

/** One page of each folder. It changes with each turn. */
const ofEachFolder = [...Map.groupBy(pages, (page) => path.posix.dirname(page)).values()].flatMap((group) =>
  group.slice(turn % group.length, (turn % group.length) + 1),
);

const sampled = thinned(2) === 1 ? pages : [...new Set([...widePages, ...ofEachFolder])];

/** Returns the addresses of the pages to view in this way: some of each kind, or all of them with SAMPLE=all. */
export const sampledAddresses = (look: (typeof looks)[number]): readonly string[] =>
  sampled
    .filter((_, at) => isSampled(at, looks.indexOf(look), looks.length))
    .map((page) => toSitePath(page).replace(/md$/, 'html'));
