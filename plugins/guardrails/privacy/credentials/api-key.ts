import { keyShapes } from '../../../../schema/credentials/key-shapes.ts';
import type { Detector, Finding } from '../search/finding.ts';
import { entropy } from './entropy.ts';
import { isSample } from './is-sample.ts';

/** Random keys have about 4 bits per character; `sk-aaaa…` has few. */
const minEntropy = 2.8;

const shapes = keyShapes.map(({ begins, shape }) => ({
  begins,
  whole: new RegExp(`(?:${shape.source})(?![\\w-])`, 'y'),
}));

const wholePatterns: ReadonlyMap<string, readonly RegExp[]> = new Map(
  shapes
    .flatMap(({ begins }) => begins)
    .map((begin) => [begin, shapes.flatMap(({ begins, whole }) => (begins.includes(begin) ? [whole] : []))]),
);

/**
 * If two prefixes match at one place, such as `sk-` and `sk-ant-`, a search returns only the first, so each has its own search.
 */
const isShadowed = (begin: string): boolean =>
  [...wholePatterns.keys()].some((other) => other !== begin && begin.startsWith(other));

const anyOf = (begins: readonly string[]): RegExp =>
  new RegExp(`(?<!\\w)(?:${begins.map((begin) => begin.replaceAll('.', '\\.')).join('|')})`, 'g');

const searches = [
  anyOf([...wholePatterns.keys()].filter((begin) => !isShadowed(begin))),
  anyOf([...wholePatterns.keys()].filter(isShadowed)),
];

const keyAt = (text: string, from: number, begin: string): string | undefined => {
  for (const whole of wholePatterns.get(begin) ?? []) {
    whole.lastIndex = from;
    const key = whole.exec(text)?.[0];
    if (key !== undefined && entropy(key) >= minEntropy && !isSample(key)) return key;
  }
  return undefined;
};

const findMarked = (text: string, search: RegExp): readonly Finding[] => {
  const found: Finding[] = [];
  for (const { index: from, 0: begin } of text.matchAll(search)) {
    const key = keyAt(text, from, begin);
    if (key !== undefined) found.push({ kind: 'api-key', from, to: from + key.length });
  }
  return found;
};

/** Tokens of Telegram bots have no prefix, and those of Azure and Discord have their mark in the middle. */
const unmarked =
  /(?<![\w:])(?:\d{8,10}:AA[\w-]{33}|[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}|[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38})(?![\w-])/g;

const findUnmarked: Detector = (text) =>
  [...text.matchAll(unmarked)].map(({ index, 0: key }) => ({ kind: 'api-key', from: index, to: index + key.length }));

/** Finds keys of vendors by their distinctive prefixes. */
export const findApiKeys: Detector = (text) => [
  ...searches.flatMap((search) => findMarked(text, search)),
  ...findUnmarked(text),
];
