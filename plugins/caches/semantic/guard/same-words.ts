/** Words that ordinary requests use alike, and other spellings; the first stands for all. Kept short: each is a risk. */
const groups: readonly (readonly string[])[] = [
  ['advantages', 'benefits'],
  ['airplane', 'aeroplane'],
  ['analyze', 'analyse'],
  ['begin', 'start'],
  ['behavior', 'behaviour'],
  ['biggest', 'largest'],
  ['buy', 'purchase'],
  ['calculate', 'compute'],
  ['car', 'automobile'],
  ['center', 'centre'],
  ['children', 'kids'],
  ['color', 'colour'],
  ['colors', 'colours'],
  ['disadvantages', 'drawbacks'],
  ['doctor', 'physician'],
  ['email', 'e-mail'],
  ['list', 'enumerate'],
  ['fastest', 'quickest'],
  ['favorite', 'favourite'],
  ['fridge', 'refrigerator'],
  ['gray', 'grey'],
  ['info', 'information'],
  ['neighbor', 'neighbour'],
  ['optimize', 'optimise'],
  ['organize', 'organise'],
  ['photo', 'photograph'],
  ['photos', 'photographs'],
  ['recognize', 'recognise'],
  ['repair', 'fix'],
  ['summarize', 'summarise'],
  ['theater', 'theatre'],
  ['versus', 'vs'],
  ['write', 'draft', 'compose'],
];

const first = new Map(groups.flatMap(([name = '', ...others]) => others.map((other) => [other, name] as const)));

/** The word that stands for all that are used like it; the word itself if there are none. */
export const sameWord = (word: string): string => first.get(word) ?? word;

/** The groups, for tests. */
export const sameWords: readonly (readonly string[])[] = groups;
