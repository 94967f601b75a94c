import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeTrie } from 'cspell-trie-lib';

const dictionaryFile = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@cspell/dict-en-gb/cspell-ext.json')),
  'en_GB.trie.gz',
);
const dictionary = decodeTrie(gunzipSync(readFileSync(dictionaryFile)));

/** Terms and names that the dictionary lacks, one per line: as they are written, or in lower case if that varies. */
export const fieldTerms: ReadonlySet<string> = new Set(
  readFileSync(path.join(import.meta.dirname, 'field-terms.txt'), 'utf8')
    .split('\n')
    .filter(Boolean),
);

/** Returns a Markdown text without anything that is not English: front matter, code, comments, addresses, and tags. */
const toProse = (markdown: string): string =>
  markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!--[\s\S]*?-->|`[^`\n]*`|https?:\S+|<[^>\n]*>/g, ' ')
    .replace(/\]\([^)]*\)/g, ']');

const wordPattern = /(?<![\p{L}\p{N}_./@$-])\p{L}[\p{L}'’]*(?![\p{L}\p{N}_/@]|\.\w|-?…)/gu;

/** Whether a word is looked up. Short words, abbreviations, and identifiers such as `countTokens` are not. */
const isLookedUp = (word: string): boolean => word.length > 3 && !/^\p{Lu}+s?$|^\p{Ll}+\p{Lu}/u.test(word);

/** Returns the words of a text whose spelling is checked, without their possessive endings. */
export const proseWords = (markdown: string): readonly string[] =>
  [...toProse(markdown).matchAll(wordPattern)].map(([word]) => word.replace(/['’]s?$/, '')).filter(isLookedUp);

/** Whether a word is English in British spelling, or a term of the field. */
export const isSpelledRight = (word: string): boolean =>
  [word, word.toLowerCase()].some((form) => dictionary.has(form, false) || fieldTerms.has(form));
