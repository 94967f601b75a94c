import type { Detector, Finding } from '../finding.ts';
import { followsWord, marksIn } from '../marked-places.ts';
import { entropy } from './entropy.ts';
import { isSample } from './is-sample.ts';
import type { KeyShape } from './key-shape.ts';
import { keyShapes } from './key-shapes.ts';

/** Random keys have about 4 bits for each character; `sk-aaaa…` has few. */
const leastEntropy = 2.8;

const findKeys = ({ begins, shape }: KeyShape): Detector => {
  const whole = new RegExp(`(?:${shape.source})(?![\\w-])`, 'y');
  return (text) => {
    const found: Finding[] = [];
    for (const begin of begins)
      for (const from of marksIn(text, begin)) {
        if (followsWord(text, from)) continue;
        whole.lastIndex = from;
        const key = whole.exec(text)?.[0];
        if (key !== undefined && entropy(key) >= leastEntropy && !isSample(key))
          found.push({ kind: 'api-key', from, to: from + key.length });
      }
    return found;
  };
};

/** A token of a Telegram bot has no text that it begins with, and one of Azure has its mark in the middle. */
const unmarked =
  /(?<![\w:])(?:\d{8,10}:AA[\w-]{33}|[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}|[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38})(?![\w-])/g;

const findUnmarked: Detector = (text) =>
  [...text.matchAll(unmarked)].map(({ index, 0: key }) => ({ kind: 'api-key', from: index, to: index + key.length }));

const detectors: readonly Detector[] = [...keyShapes.map(findKeys), findUnmarked];

/** Keys of vendors, which begin as only they do. */
export const findApiKeys: Detector = (text) => detectors.flatMap((detect) => detect(text));
