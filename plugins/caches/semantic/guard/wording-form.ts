import { withOneBeginning } from './beginnings.ts';
import { withoutClosing } from './closings.ts';
import { withoutOpening } from './openings.ts';
import { endsSentence, plainWords } from './plain-words.ts';
import { type Token, toTokens } from './tokens.ts';
import { withOneOrder } from './unordered.ts';
import { askedVerbs, auxiliaries, englishStarts, englishWords, languageWords, questionWords } from './words.ts';

const pronouns = new Set(['I', 'you', 'we', 'they']);

/** Longer texts are material to work on, in which every word matters. */
const longestRequest = 300;

const isEnglish = (tokens: readonly Token[]): boolean => {
  if (tokens.some(({ kind, text }) => kind === 'word' && !/^[\x20-\x7e]+$/.test(text))) return false;
  const words = tokens.map(({ text }) => text.toLowerCase());
  return englishStarts.has(words[0] ?? '') || new Set(words.filter((word) => englishWords.has(word))).size >= 2;
};

const isAboutLanguage = ({ text }: Token, before: Token | undefined): boolean =>
  languageWords.has(before === undefined || endsSentence(before.text) ? text.toLowerCase() : text);

/** A colon introduces a text to work on, and in a request about language the exact words matter. */
const isLiteral = (tokens: readonly Token[]): boolean =>
  tokens.some(({ kind, text }) => kind === 'mark' && text === ':') ||
  tokens.some((token, index) => isAboutLanguage(token, tokens[index - 1])) ||
  !isEnglish(tokens);

/** Moves the auxiliary verb of a question to the front: `what is the capital`, `tell me what the capital is`. */
const withVerbFirst = (words: readonly string[]): readonly string[] => {
  const [question = ''] = words;
  if (!questionWords.has(question) || words.some((word) => word === '.' || word === '?' || word === '!')) return words;
  const at = words.flatMap((word, index) => (auxiliaries.has(word) ? [index] : []));
  const [only = 0] = at;
  if (at.length !== 1 || (only !== 1 && only !== words.length - 1)) return words;
  const verb = words[only] ?? '';
  return [question, verb, ...words.filter((_, index) => index !== 0 && index !== only)];
};

/** Unifies questions about how something works with requests to explain it. */
const withWorking = (words: readonly string[]): readonly string[] => {
  const [how, verb, ...rest] = words;
  if (how !== 'how' || rest.length < 2 || rest.at(-1) !== 'work') return words;
  if (verb === 'does') return ['how', ...rest.slice(0, -1), 'works'];
  return verb === 'do' && !pronouns.has(rest[0] ?? '') ? ['how', ...rest] : words;
};

/** Without a question word or an auxiliary verb at the start, only the mark at the end makes a sentence a question. */
const asked = (words: readonly string[], ended: string): string => {
  const [start = ''] = words;
  const isKnown = [questionWords, auxiliaries, askedVerbs].some((starts) => starts.has(start));
  return ended.includes('?') && !isKnown ? '?' : '';
};

/**
 * Returns the form that two wordings must share before their answers may be the same. Texts with the same form differ only in
 * courtesies, articles, contractions, spelling, a few words of equal meaning, and ways to start a question. Every number, unit,
 * name, quotation, negation, comparison and word that is not known to be irrelevant is part of the form, in order. Returns
 * undefined for a text in which every word may matter; it is only answered from the cache for identical requests.
 */
export const wordingForm = (text: string): string | undefined => {
  const trimmed = text.trim();
  if (trimmed.length > longestRequest || /[\n\r\t]/.test(trimmed)) return undefined;
  const tokens = toTokens(trimmed);
  if (isLiteral(tokens)) return undefined;
  const words = withOneBeginning(withoutOpening(withoutClosing(plainWords(tokens))));
  const end = trimmed.slice(-3);
  return JSON.stringify([asked(words, end), ...withOneOrder(withWorking(withVerbFirst(words)))]);
};
