/**
 * Words that ordinary requests use in the same way, and alternative spellings. The first stands for all. The list is short
 * because each entry is a risk.
 */
const groups: readonly (readonly string[])[] = [
  ['airplane', 'aeroplane'],
  ['analyze', 'analyse'],
  ['behavior', 'behaviour'],
  ['biggest', 'largest'],
  ['center', 'centre'],
  ['children', 'kids'],
  ['color', 'colour'],
  ['colors', 'colours'],
  ['disadvantages', 'drawbacks'],
  ['email', 'e-mail'],
  ['fastest', 'quickest'],
  ['favorite', 'favourite'],
  ['fridge', 'refrigerator'],
  ['gray', 'grey'],
  ['neighbor', 'neighbour'],
  ['optimize', 'optimise'],
  ['organize', 'organise'],
  ['photo', 'photograph'],
  ['photos', 'photographs'],
  ['recognize', 'recognise'],
  ['summarize', 'summarise'],
  ['theater', 'theatre'],
  ['versus', 'vs'],
];

/** Verbs that are equivalent at the start of a request, but elsewhere may be nouns and names. */
const verbGroups: readonly (readonly string[])[] = [
  ['buy', 'purchase'],
  ['calculate', 'compute'],
  ['repair', 'fix'],
  ['write', 'draft', 'compose'],
];

const standIns = (all: typeof groups): ReadonlyMap<string, string> =>
  new Map(all.flatMap(([name = '', ...others]) => others.map((other) => [other, name] as const)));

const words = standIns(groups);
const verbs = standIns(verbGroups);

/** Returns the word that stands for all equivalent ones, or the word itself if there are none. */
export const sameWord = (word: string): string => words.get(word) ?? word;

/** The same for the verb of a request. */
export const sameVerb = (word: string): string => verbs.get(word) ?? word;

/** The groups, for tests. */
export const sameWords: readonly (readonly string[])[] = [...groups, ...verbGroups];
