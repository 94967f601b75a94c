import { withoutArticles } from './plain-words.ts';
import { askedVerbs, questionWords } from './words.ts';

/** What a request may begin with that asks for nothing by itself. */
const greetings = ['hi there', 'hello there', 'hi', 'hello', 'hey'];
const courtesies = ['please', 'kindly'];

/** What may stand before a question. */
const beforeQuestion = [
  'can you please tell me',
  'could you please tell me',
  'can you tell me',
  'could you tell me',
  'would you tell me',
  'please tell me',
  'tell me',
  'can you please explain',
  'could you please explain',
  'can you explain to me',
  'can you explain',
  'could you explain',
  'explain to me',
  'explain',
  'can you show me',
  'could you show me',
  'show me',
  'I want to know',
  'I would like to know',
  "I'd like to know",
  'I need to know',
  'I am wondering',
  'I was wondering',
  'I wonder',
  'do you know',
  'let me know',
];

/** What may stand before a request's verb. */
const beforeVerb = ['can you please', 'could you please', 'would you please', 'can you', 'could you', 'would you'];

/** Verbs of instructions: with one of them, a question for a way is the same for all who may ask it. */
const instructed = new Set([
  ...[
    'add',
    'bake',
    'boil',
    'build',
    'buy',
    'calculate',
    'change',
    'clean',
    'compare',
    'configure',
    'connect',
    'convert',
  ],
  ...[
    'cook',
    'copy',
    'create',
    'cut',
    'delete',
    'disable',
    'draw',
    'enable',
    'export',
    'grow',
    'import',
    'install',
    'invert',
  ],
  ...[
    'make',
    'measure',
    'merge',
    'open',
    'paint',
    'parse',
    'plant',
    'print',
    'read',
    'remove',
    'rename',
    'repair',
    'reset',
  ],
  ...[
    'restart',
    'restore',
    'revert',
    'roast',
    'run',
    'set',
    'sort',
    'start',
    'stop',
    'test',
    'tie',
    'train',
    'uninstall',
  ],
  ...['update', 'upgrade', 'use', 'wash', 'write'],
]);
const persons = new Set(['I', 'me', 'my', 'myself', 'you', 'your', 'yourself', 'we', 'us', 'our', '1']);

const ownWays = ['how to', 'how do I', 'how can I'];
/** These may also ask for the ways of the model itself, or of somebody. */
const othersWays = ['how do you', 'how does 1'];

/** Ways to ask for a list. */
const listings = ['give me a list of', 'make a list of', 'write a list of', 'make me a list of'];

const split = (phrase: string): readonly string[] => phrase.split(' ');

const begins = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.every((word, index) => words[index] === word);

const longestFirst = (phrases: readonly string[]): readonly (readonly string[])[] =>
  phrases.map(split).sort((left, right) => right.length - left.length);

/** The words after the first of the phrases that they begin with, and after a comma that follows it. */
const after = (words: readonly string[], phrases: readonly (readonly string[])[]): readonly string[] | undefined => {
  const phrase = phrases.find((each) => begins(words, each));
  if (phrase === undefined) return undefined;
  const rest = words.slice(phrase.length);
  return rest[0] === ',' || rest[0] === '!' ? rest.slice(1) : rest;
};

const polite = longestFirst([...greetings, ...courtesies]);
const questioning = longestFirst(beforeQuestion);
const requesting = longestFirst(beforeVerb);
const askingOwn = longestFirst(ownWays);
const askingOthers = longestFirst(othersWays);
const listing = longestFirst(listings);

/** One thing less at the beginning; undefined if there is nothing to leave out. */
const shortened = (words: readonly string[]): readonly string[] | undefined => {
  const said = after(words, polite);
  if (said !== undefined && said.length > 0) return said;
  const question = after(words, questioning);
  if (question !== undefined && questionWords.has(question[0] ?? '')) return question;
  const request = after(words, requesting);
  return request !== undefined && askedVerbs.has(request[0] ?? '') ? request : undefined;
};

/** One beginning for those of one meaning. */
const withOneBeginning = (words: readonly string[]): readonly string[] => {
  const listed = after(words, listing);
  if (listed !== undefined) return ['list', ...listed];
  const own = after(words, askingOwn);
  const way = own ?? after(words, askingOthers);
  if (way === undefined || !instructed.has(way[0] ?? '')) return words;
  if (own === undefined && way.some((word) => persons.has(word))) return words;
  return ['how', 'to', ...withoutArticles(way)];
};

/** The words of a request without what it begins with out of courtesy, and with one beginning for those of one meaning. */
export const withoutOpening = (words: readonly string[]): readonly string[] => {
  let rest = words;
  for (let next = shortened(rest); next !== undefined; next = shortened(rest)) rest = next;
  return withOneBeginning(rest);
};

const closings = ['please', 'thanks', 'thank you', 'thanks in advance', 'thank you in advance', 'thank you very much']
  .map(split)
  .sort((left, right) => right.length - left.length);
const endMarks = new Set(['.', '?', '!', ',']);

const withoutMarks = (words: readonly string[]): readonly string[] =>
  words.slice(0, words.findLastIndex((word) => !endMarks.has(word)) + 1);

/** The words without thanks at the end, and without the marks that end the last sentence. */
export const withoutClosing = (words: readonly string[]): readonly string[] => {
  const said = withoutMarks(words);
  const closing = closings.find((each) => said.length > each.length && begins(said.slice(-each.length), each));
  return closing === undefined ? said : withoutMarks(said.slice(0, -closing.length));
};
