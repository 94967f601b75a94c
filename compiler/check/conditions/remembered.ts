import { LRUCache } from 'lru-cache';
import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { Condition } from '../../../schema/plan/condition.ts';

/** The maximum total length of the stored conditions, in characters. */
const maxCharacters = 2_000_000;

/** The conditions of some large configs: after an edit, a text has all but one of them again. */
const known = new LRUCache<string, Condition>({
  ...{ max: 1000, maxSize: maxCharacters },
  sizeCalculation: (_condition, key) => key.length,
});

/** Returns the same object for equal conditions of any text, so that results can be cached by it. */
export const sameCondition = (condition: Condition): Condition => {
  const key = canonicalJson(condition);
  const found = known.get(key) ?? condition;
  known.set(key, found);
  return found;
};

/** Caches what `find` returns for two conditions for as long as both exist. */
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
