import { toPhrases, wordsAfter } from './phrases.ts';
import { withoutArticles } from './plain-words.ts';
import { sameVerb } from './same-words.ts';
import { wordSet } from './word-set.ts';

/** Verbs of instructions. With any of them, all ways to ask for instructions are equivalent. */
const instructed = wordSet(`
  add bake boil build buy calculate change clean compare compose compute configure connect convert cook copy create cut
  delete disable draft draw enable export fix grow import install invert make measure merge open paint parse plant print
  purchase read remove rename repair reset restart restore revert roast run set sort start stop test tie train uninstall
  update upgrade use wash write
`);

const waysToAsk = toPhrases(['how to', 'how do I', 'how can I', 'how does 1']);

const listings = toPhrases(['give me a list of', 'make a list of', 'write a list of', 'make me a list of']);

/** Unifies beginnings with the same meaning: ways to ask how to do something, ways to ask for a list, and verbs. */
export const withOneBeginning = (words: readonly string[]): readonly string[] => {
  const listed = wordsAfter(words, listings);
  if (listed !== undefined) return ['list', ...listed];
  const [verb = '', ...way] = wordsAfter(words, waysToAsk) ?? [];
  if (instructed.has(verb)) return ['how', 'to', sameVerb(verb), ...withoutArticles(way)];
  const [first = '', ...others] = words;
  return [sameVerb(first), ...others];
};
