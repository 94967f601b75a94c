import type { DefaultTheme } from 'vitepress';

type MiniSearchOptions = NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** A text of HTML without tags, as it is read. */
const toPlain = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(code)),
  );

const toTerm = (text: string): string => toPlain(text).trim().toLowerCase().replace(/\s+/g, ' ');

const wordPattern = /[\p{L}\p{N}_]+(?:[-./:][\p{L}\p{N}_]+)*/gu;

/** A title as a whole, which only a whole query is: no word begins so. */
const toWhole = (text: string): string => `=${toTerm(text)}`;

/** Words that a page is looked for by, as the text of the index has them. */
export const toSought = (words: string): string => `⟦${words}⟧`;

const soughtPattern = /⟦([^⟧]+)⟧/g;

/**
 * The terms of a text: `x-gw-config`, `override_params` and `strategy.mode` as they are, and their parts. A title, and a
 * query, is a term as a whole too, so that `gw explain` finds the page of that name; so are the last segment of a title, and the words
 * that a page is looked for by.
 */
const tokenize = (text: string, field?: string): string[] => {
  const words = toPlain(text).match(wordPattern) ?? [];
  const terms = words.flatMap((word) => {
    const parts = word.split(/[-_./:]/).filter((part) => part !== '');
    return parts.length > 1 ? [word, ...parts] : [word];
  });
  if (field === undefined || field === 'title') terms.push(toWhole(text));
  if (field === 'text') terms.push(...[...text.matchAll(soughtPattern)].map(([, sought = '']) => toWhole(sought)));
  const [, segment] = field === 'title' ? (/\.([^.\s]+)$/.exec(toTerm(text)) ?? []) : [];
  if (segment !== undefined) terms.push(toWhole(segment));
  return [...new Set(terms)];
};

/** How the index is made: by Node at the build, by the browser to read it. */
export const indexOptions: NonNullable<MiniSearchOptions['options']> = {
  tokenize,
  processTerm: (term) => term.toLowerCase(),
};

/** Pages for people who want to do something, or to know how it works. */
const isGuide = (id: string): boolean => /\/(?:recipes|start|how-it-works)\/[^#]/.test(id);

/** Pages that have an entry for each name that people write: members, headers, commands and codes. */
const hasEntries = (id: string): boolean =>
  /\/reference\/(?:config|gateway-file|headers|commands|errors|diagnostics)[/.]/.test(id);

/**
 * How much more a place counts whose heading is the whole query, or has it as its last segment, as `attempts` of `retry.attempts`; or
 * that is looked for by the whole query, and has it in its text, which counts less than a heading. Names are in lower case,
 * and words of headings are not: `keys` is a member, and "Keys" a section.
 */
const nameBoost = (id: string, heading: string, term: string): number => {
  if (!term.startsWith('=')) return 1;
  const name = term.slice(1);
  if (isGuide(id)) return toTerm(heading) === name ? 200 : 1500;
  // A header is the whole of a heading or of a row.
  if (id.includes('/reference/headers.')) return 4000;
  // A part of a name that is asked for, as `trace` of `x-gw-trace-id`, is the name of something too.
  if (toTerm(heading) !== name) return 10;
  const isName = toPlain(heading).trim() === name || /[-_.]/.test(name);
  if (isName) return hasEntries(id) ? 4000 : 400;
  return 200;
};

/** Pages that say how to do something come before lists of names, and before those for authors of plugins. */
const pageBoost = (id: string): number => {
  if (/\/(?:recipes|start)\/[^#]/.test(id)) return 6;
  return /\/reference\/(?:sdk\/|scopes|metrics|log-fields)/.test(id) ? 0.3 : 1;
};

/** How the index is asked. What a heading is called is found before what it is mentioned in. */
export const searchOptions: NonNullable<MiniSearchOptions['searchOptions']> = {
  boost: { title: 4, text: 1, titles: 1 },
  prefix: (term) => term.length > 2 && !term.startsWith('='),
  fuzzy: (term) => (term.length > 5 && !/[-_./: =]/.test(term) ? 0.2 : false),
  weights: { prefix: 0.08, fuzzy: 0.08 },
  boostDocument: (id, term, stored) => nameBoost(String(id), String(stored?.title ?? ''), term) * pageBoost(String(id)),
};
