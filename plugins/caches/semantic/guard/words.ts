import { wordSet } from './word-set.ts';

/** Words that begin a question about something. */
export const questionWords: ReadonlySet<string> = wordSet('who whom whose what when where why how which');

/** Verbs that stand before or after their subject, as a sentence is a question or not. */
export const auxiliaries: ReadonlySet<string> = wordSet(
  'is are am was were do does did have has had will would shall should can could may might must',
);

/** Words that say how others belong together. An article before one of them is spoken about, and does not belong to a noun. */
export const joiningWords: ReadonlySet<string> = wordSet(
  'and or but nor than as if in on at by to from of for with without before after between into onto over under about vs versus',
);

/** Verbs with which requests begin. */
const requestVerbs: ReadonlySet<string> = wordSet(
  'explain describe list enumerate write draft compose create make give show tell provide suggest recommend compare contrast find name convert calculate compute solve summarize outline plan design build generate help let please',
);

/** Verbs that ask the model for something, with or without a question mark. */
export const askedVerbs: ReadonlySet<string> = wordSet(
  'explain describe list summarize give show tell suggest recommend compare write calculate',
);

/** Words that make a request one about language, in which every word may be what is meant. */
export const languageWords: ReadonlySet<string> = wordSet(
  `word words letter letters spell spelled spelling pronounce pronounced pronunciation translate translated translation
  mean means meaning meanings define definition rhyme rhymes grammar grammatical sentence sentences phrase phrases
  synonym synonyms antonym antonyms plural singular verb noun pronoun preposition article articles rewrite rephrase paraphrase proofread
  correct edit capitalize punctuation repeat say quote anagram palindrome syllables characters reverse`,
);

/** Words of English that are seldom words of another language. Two of them make a text English. */
export const englishWords: ReadonlySet<string> = wordSet(
  `the what how why when where who whom whose which is are does did was were should would could you your my of and with for to from i
  please explain describe list write compare give tell show between about it this that these those into there`,
);

/** Words with which only a request in English begins. */
export const englishStarts: ReadonlySet<string> = wordSet(
  'what who whom whose when where why which how explain list summarize give show tell suggest recommend write calculate compare',
);

/** Further words that a sentence may begin with and that are no names. */
const otherStarts: ReadonlySet<string> = wordSet(
  `a an the my your our their his her its this that these those i it there you we they he she and but so if hi hello hey thanks
  kindly thank any no not all some`,
);

/** Whether a sentence's first word is an ordinary one, which its place alone may have given a capital letter. */
export const isOrdinary = (word: string): boolean =>
  [questionWords, auxiliaries, joiningWords, requestVerbs, otherStarts].some((words) => words.has(word));
