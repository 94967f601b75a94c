import type { Signal, SignalFinder } from './signal.ts';
import { expressions, unspacedWords, type WordClass, wordClasses } from './word-classes.ts';

interface Phrase extends Signal {
  /**
   * Words of all these classes must be near each other in one sentence, in any order, because word order differs between
   * languages.
   */
  readonly classes: readonly WordClass[];
}

const phrase = (name: string, weight: number, ...classes: readonly WordClass[]): Phrase => ({ name, weight, classes });

const phrases: readonly Phrase[] = [
  phrase('ignore-instructions', 0.8, 'ignore', 'prior', 'orders'),
  phrase('ignore-instructions', 0.7, 'ignore', 'you', 'orders'),
  phrase('ignore-rules', 0.6, 'ignore', 'you', 'rules'),
  phrase('extract-prompt', 0.6, 'reveal', 'hidden', 'prompt'),
  phrase('extract-prompt', 0.6, 'reveal', 'you', 'prompt'),
  phrase('change-role', 0.7, 'become', 'freed'),
  phrase('change-role', 0.6, 'pretend', 'without', 'rules'),
  phrase('change-role', 0.6, 'persona', 'without', 'rules'),
  phrase('change-role', 0.6, 'freed', 'mode'),
  phrase('encoded-orders', 0.7, 'decode', 'encoding', 'follow'),
  phrase('new-instructions', 0.3, 'new', 'orders', 'follow'),
];

const phrasesByName: ReadonlyMap<string, readonly Phrase[]> = new Map(
  [...new Set(phrases.flatMap(({ classes }) => classes))].map((name) => [
    name,
    phrases.filter(({ classes }) => classes.includes(name)),
  ]),
);

/** The maximum number of words from the first to the last word of a phrase. */
const nearWords = 10;

const letter = '[\\p{L}\\p{M}\\p{N}]';

/** Matches a known expression of several words, a known word of a script without spaces, any word, or the end of a sentence. */
const pieces = new RegExp(
  `(?<!${letter})(?:${expressions.join('|')})(?!${letter})|${unspacedWords.join('|')}|[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{M}\\p{N}]+|[.!?;](?=\\s|$)|[。！？；]|\\n\\s*\\n`,
  'gu',
);
const isEnd = /^[\s.!?;。！？；]/u;

/** Finds phrases by which texts try to change the instructions of a model, in several languages. */
export const findPhrases: SignalFinder = (text) => {
  const found = new Set<Signal>();
  const lastAt = new Map<string, number>();
  let at = 0;
  for (const [piece] of text.matchAll(pieces)) {
    at += 1;
    if (isEnd.test(piece)) lastAt.clear();
    const classes = wordClasses.get(piece);
    if (classes === undefined) continue;
    for (const name of classes) lastAt.set(name, at);
    for (const name of classes)
      for (const each of phrasesByName.get(name) ?? []) {
        const places = each.classes.map((other) => lastAt.get(other) ?? Number.NEGATIVE_INFINITY);
        if (Math.min(...places) > at - nearWords && new Set(places).size === places.length) found.add(each);
      }
  }
  return [...found];
};
