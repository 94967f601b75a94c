import { wordSet } from './word-set.ts';

/** Words that start a question about something. */
export const questionWords: ReadonlySet<string> = wordSet('who whom whose what when where why how which');

/** Verbs that come before or after their subject, depending on whether a sentence is a question. */
export const auxiliaries: ReadonlySet<string> = wordSet(
  'is are am was were do does did have has had will would shall should can could may might must',
);

/** Words that connect others. An article before one of them is a subject of the text rather than part of a noun. */
export const joiningWords: ReadonlySet<string> = wordSet(
  'and or but nor than as if in on at by to from of for with without before after between into onto over under about vs versus',
);

/** Verbs that start requests. */
const requestVerbs: ReadonlySet<string> = wordSet(
  'explain describe list enumerate write draft compose create make give show tell provide suggest recommend compare contrast find name convert calculate compute solve summarize outline plan design build generate help let please',
);

/** Verbs that ask the model for something, with or without a question mark. */
export const askedVerbs: ReadonlySet<string> = wordSet(
  'explain describe list summarize give show tell suggest recommend compare write calculate',
);

/** Words that make a request one about language, in which every word may be meant literally. */
export const languageWords: ReadonlySet<string> = wordSet(
  `word words letter letters spell spelled spelling pronounce pronounced pronunciation translate translated translation
  mean means meaning meanings define definition rhyme rhymes grammar grammatical sentence sentences phrase phrases
  synonym synonyms antonym antonyms plural singular verb noun pronoun preposition article articles rewrite rephrase paraphrase proofread
  correct edit capitalize punctuation repeat say quote anagram palindrome syllables characters reverse`,
);

/** English words that are rarely words of another language. Two of them make a text English. */
export const englishWords: ReadonlySet<string> = wordSet(
  `the what how why when where who whom whose which is are does did was were should would could you your my of and with for to from i
  please explain describe list write compare give tell show between about it this that these those into there`,
);

/** Words that only start requests in English. */
export const englishStarts: ReadonlySet<string> = wordSet(
  'what who whom whose when where why which how explain list summarize give show tell suggest recommend write calculate compare',
);

/** Other words that may start a sentence and are not names. */
const otherStarts: ReadonlySet<string> = wordSet(
  `a an the my your our their his her its this that these those i it there you we they he she and but so if hi hello hey thanks
  kindly thank any no not all some`,
);

/** Whether the first word of a sentence is an ordinary word, which may be capitalised only because of its position. */
export const isOrdinary = (word: string): boolean =>
  [questionWords, auxiliaries, joiningWords, requestVerbs, otherStarts].some((words) => words.has(word));
