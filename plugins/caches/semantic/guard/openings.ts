import { toPhrases, wordsAfter } from './phrases.ts';
import { askedVerbs, questionWords } from './words.ts';

/** Greetings, which are separated by a mark from what follows. */
const greetings = toPhrases(['hi there', 'hello there', 'hi', 'hello', 'hey']);
const courtesies = toPhrases(['please', 'kindly']);

/** Phrases that may precede a question. Not before `when`, because `when` may then be the time at which an answer is wanted. */
const asking = toPhrases([
  'can you please tell me',
  'could you please tell me',
  'can you tell me',
  'could you tell me',
  'would you tell me',
  'tell me',
  'I want to know',
  'I would like to know',
  "I'd like to know",
  'I need to know',
  'I am wondering',
  'I was wondering',
  'I wonder',
  'do you know',
]);

/** Phrases that may precede a question with `how` or `why`, whose answers are explanations. */
const explaining = toPhrases([
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
]);

/** Phrases that may precede the verb of a request. */
const requesting = toPhrases([
  'can you please',
  'could you please',
  'would you please',
  'can you',
  'could you',
  'would you',
]);

const isMark = (word: string | undefined): boolean => word === ',' || word === '!';

const afterGreeting = (words: readonly string[]): readonly string[] | undefined => {
  const [mark, ...rest] = wordsAfter(words, greetings) ?? [];
  return isMark(mark) && rest.length > 0 ? rest : undefined;
};

const afterCourtesy = (words: readonly string[]): readonly string[] | undefined => {
  const [first, ...rest] = wordsAfter(words, courtesies) ?? [];
  if (first === undefined || first === 'please') return undefined;
  return isMark(first) ? rest : [first, ...rest];
};

const beforeQuestion = (words: readonly string[]): readonly string[] | undefined => {
  const explained = wordsAfter(words, explaining);
  if (explained?.[0] === 'how' || explained?.[0] === 'why') return explained;
  const asked = wordsAfter(words, asking);
  const first = asked?.[0] ?? '';
  return questionWords.has(first) && first !== 'when' ? asked : undefined;
};

const beforeVerb = (words: readonly string[]): readonly string[] | undefined => {
  const requested = wordsAfter(words, requesting);
  return askedVerbs.has(requested?.[0] ?? '') ? requested : undefined;
};

/** Removes the polite opening of a request. */
export const withoutOpening = (words: readonly string[]): readonly string[] => {
  const said = afterGreeting(words) ?? words;
  const plain = afterCourtesy(said) ?? said;
  return beforeQuestion(plain) ?? beforeVerb(plain) ?? plain;
};
