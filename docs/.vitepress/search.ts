import type { DefaultTheme } from 'vitepress';

type MiniSearchOptions = NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Decodes the entities of HTML text without tags. */
const toPlain = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(code)),
  );

const toTerm = (text: string): string => toPlain(text).trim().toLowerCase().replace(/\s+/g, ' ');

const wordPattern = /[\p{L}\p{N}_]+(?:[-./:][\p{L}\p{N}_]+)*/gu;

/** Returns the term for a whole title, which only a whole query matches, because no word starts with `=`. */
const toWhole = (text: string): string => `=${toTerm(text)}`;

/** Marks search words of a page in the text of the index. */
export const toSearchWords = (words: string): string => `⟦${words}⟧`;

const soughtPattern = /⟦([^⟧]+)⟧/g;

/**
 * Splits a text into terms. Names such as `x-gw-config`, `override_params` and `strategy.mode` are terms, and so are their
 * parts. A title and a query are also a term as a whole, so that `gw explain` finds the page with that title. The last segment
 * of a title and the search words of a page are terms as a whole too.
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

/** The options of the index. Node uses them to build it, the browser to read it. */
export const indexOptions: NonNullable<MiniSearchOptions['options']> = {
  tokenize,
  processTerm: (term) => term.toLowerCase(),
};

/** Whether a page is a guide: how to do something, or how it works. */
const isGuide = (id: string): boolean => /\/(?:recipes|start|how-it-works)\/[^#]/.test(id);

/** Whether a page has an entry for each name that users write: members, headers, commands and codes. */
const hasEntries = (id: string): boolean =>
  /\/reference\/(?:config|gateway-file|headers|commands|errors|diagnostics)[/.]/.test(id);

/**
 * Returns the boost of a section that matches the whole query: by its heading, by the last segment of the heading (`attempts`
 * of `retry.attempts`), or by the search words of its page. Those are part of the text, which counts less than a heading.
 * Names are in lower case and words in headings are not: `keys` is a member, "Keys" a section.
 */
const nameBoost = (id: string, heading: string, term: string): number => {
  if (!term.startsWith('=')) return 1;
  const name = term.slice(1);
  if (isGuide(id)) return toTerm(heading) === name ? 200 : 1500;
  // The name of a header is a whole heading or a whole row.
  if (id.includes('/reference/headers.')) return 4000;
  // A query that is only part of a name, such as `trace` of `x-gw-trace-id`, may itself name something else.
  if (toTerm(heading) !== name) return 10;
  const isName = toPlain(heading).trim() === name || /[-_.]/.test(name);
  if (isName) return hasEntries(id) ? 4000 : 400;
  return 200;
};

/** Returns the boost of a page. Guides rank above lists of names and above pages for authors of plugins. */
const pageBoost = (id: string): number => {
  if (/\/(?:recipes|start)\/[^#]/.test(id)) return 6;
  return /\/reference\/(?:sdk\/|scopes|metrics|log-fields)/.test(id) ? 0.3 : 1;
};

/** The options of a search. A match in a heading ranks above a mention in the text. */
export const searchOptions: NonNullable<MiniSearchOptions['searchOptions']> = {
  boost: { title: 4, text: 1, titles: 1 },
  prefix: (term) => term.length > 2 && !term.startsWith('='),
  fuzzy: (term) => (term.length > 5 && !/[-_./: =]/.test(term) ? 0.2 : false),
  weights: { prefix: 0.08, fuzzy: 0.08 },
  boostDocument: (id, term, stored) => nameBoost(String(id), String(stored?.title ?? ''), term) * pageBoost(String(id)),
};
