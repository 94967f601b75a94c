import type { Signal, SignalFinder } from './signal.ts';

/**
 * The flags of England, Scotland and Wales are written with tags: https://www.unicode.org/reports/tr51/#flag-emoji-tag-sequences.
 */
const flags = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F}/gu;
const tags = /[\u{E0001}-\u{E007F}]/gu;

interface Sign extends Signal {
  readonly pattern: RegExp;
}

const signs: readonly Sign[] = [
  { name: 'tag-characters', weight: 0.9, pattern: /[\u{E0001}-\u{E007F}]/u },
  // Each selector can encode a byte. Normal texts have one, after a base character.
  { name: 'variation-selectors', weight: 0.9, pattern: /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{4}/u },
  { name: 'direction-override', weight: 0.5, pattern: /[\u202D\u202E]/u },
  {
    name: 'hidden-in-words',
    weight: 0.5,
    pattern: /(?:\p{Script=Latin}[\u200B\u2060-\u2064\uFEFF]\p{Script=Latin}[^\n]{0,40}){3}/u,
  },
];

/** Finds characters that people cannot see but a model reads. */
export const findInvisible: SignalFinder = (text) => {
  const plain = text.replaceAll(flags, '');
  return signs.filter(({ pattern }) => pattern.test(plain));
};

/** Decodes tag characters, which stand for ASCII. */
export const tagText = (text: string): string =>
  Array.from(text.replaceAll(flags, '').matchAll(tags), ([tag]) =>
    String.fromCodePoint((tag.codePointAt(0) ?? 0xe0020) - 0xe0000),
  ).join('');
