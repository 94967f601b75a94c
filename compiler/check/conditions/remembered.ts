import { LRUCache } from 'lru-cache';
import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { Condition } from '../../../schema/plan/condition.ts';

/** The most characters of the conditions that are kept. */
const maxCharacters = 2_000_000;

/** The conditions of some large configs: a text that is edited has all but one of them again. */
const known = new LRUCache<string, Condition>({
  ...{ max: 1000, maxSize: maxCharacters },
  sizeCalculation: (_condition, key) => key.length,
});

/** The same object for the same condition, whichever text it stands in, by which results are remembered. */
export const sameCondition = (condition: Condition): Condition => {
  const key = canonicalJson(condition);
  const found = known.get(key) ?? condition;
  known.set(key, found);
  return found;
};

/** Remembers what is found of two conditions for as long as both are there. */
export const rememberPairs = <Found>(find: (a: Condition, b: Condition) => Found): typeof find => {
  const remembered = new WeakMap<Condition, WeakMap<Condition, { readonly found: Found }>>();
  return (a, b) => {
    const ofFirst = remembered.get(a) ?? new WeakMap<Condition, { readonly found: Found }>();
    remembered.set(a, ofFirst);
    const result = ofFirst.get(b) ?? { found: find(a, b) };
    ofFirst.set(b, result);
    return result.found;
  };
};
