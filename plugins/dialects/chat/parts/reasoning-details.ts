import type { BoundValue, Part, ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import { exactText } from '../../../../schema/json/exact-numbers.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { omit } from '../../shared/json/omit.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';

/** One of the `reasoning_details`, with its words apart: https://openrouter.ai/docs/use-cases/reasoning-tokens */
export interface ReasoningDetail {
  readonly text: string;
  readonly summary: string;
  /** The detail without its words. */
  readonly rest: JsonObject;
}

const toDetail = (detail: JsonObject): ReasoningDetail => {
  const text = findText(detail.text) ?? '';
  const summary = findText(detail.summary) ?? '';
  const words = [...(text === '' ? [] : ['text']), ...(summary === '' ? [] : ['summary'])];
  return { text, summary, rest: omit(detail, new Set(words)) ?? {} };
};

/** Returns the details in a message, or in a piece of one. */
const readDetails = ({ reasoning_details: details }: JsonObject): readonly ReasoningDetail[] =>
  toObjects(details).map(toDetail);

/** Returns what encrypts or signs reasoning. A detail may have neither. */
export const findProof = ({ data, signature }: JsonObject): string =>
  [findText(data), findText(signature)].find((proof) => proof !== undefined && proof !== '') ?? '';

/** Whether a detail has one of the documented types, without which the service does not take it back. */
export const isTyped = ({ type }: JsonObject): boolean => findText(type)?.startsWith('reasoning.') === true;

/**
 * Returns the value that stands for details of one part, without their words: their JSON as a list. All clients send it back, and
 * the service that made it gets the details as they were.
 */
export const bindDetails = (rests: readonly JsonObject[], scope: string): BoundValue => {
  const isEncrypted = rests.some(({ data }) => (findText(data) ?? '') !== '');
  return { scope, kind: isEncrypted ? 'encrypted' : 'signature', value: exactText(rests) };
};

/** Returns the details that a bound value stands for, if it does. */
export const findDetails = ({ value }: BoundValue): readonly JsonObject[] | undefined => {
  const items = value.startsWith('[{') ? findItems(parseJson(value)) : undefined;
  const rests = items?.filter(isJsonObject).filter(isTyped) ?? [];
  return rests.length === 0 || rests.length < (items?.length ?? 0) ? undefined : rests;
};

const wordsMember = ({ type }: JsonObject): 'text' | 'summary' | undefined => {
  if (type === 'reasoning.text') return 'text';
  return type === 'reasoning.summary' ? 'summary' : undefined;
};

/**
 * Returns the details of a part, with the words that the client sent back. Several summaries may have been joined for it; they are
 * then in the first detail.
 */
export const restoreDetails = (
  { text, summary = [] }: Pick<ReasoningPart, 'text' | 'summary'>,
  rests: readonly JsonObject[],
): readonly JsonObject[] => {
  const spoken = rests.filter((rest) => wordsMember(rest) !== undefined);
  const whole = shownReasoning({ text, summary });
  const words = text === '' && summary.length === spoken.length ? summary : [whole];
  return rests.map((rest) => {
    const member = wordsMember(rest);
    const said = member === undefined ? '' : (words[spoken.indexOf(rest)] ?? '');
    return member === undefined || said === '' ? rest : { ...rest, [member]: said };
  });
};

/** Returns the details of a part for a client of this format, which gets them as they came. */
export const encodeDetails = (part: Part): readonly JsonObject[] => {
  const rests = part.kind === 'reasoning' && part.bound !== undefined ? findDetails(part.bound) : undefined;
  return part.kind === 'reasoning' && rests !== undefined ? restoreDetails(part, rests) : [];
};

/** Returns the parts for the details that a client sends back, one for each. Those without a type have no place in a request. */
export const decodeDetails = (message: JsonObject, scope: string): readonly ReasoningPart[] =>
  readDetails(message)
    .filter(({ rest }) => isTyped(rest))
    .map(({ text, summary, rest }) => ({
      kind: 'reasoning',
      text,
      ...(summary === '' ? {} : { summary: [summary] }),
      bound: bindDetails([rest], scope),
    }));

const squeezed = (text: string): string => text.replaceAll(/\s+/g, '');

/** The reasoning in a message or in a piece of one. */
export interface SaidReasoning {
  /** The reasoning as one text, without what the details repeat. */
  readonly plain: string;
  /** The details, without what the text repeats. */
  readonly details: readonly ReasoningDetail[];
  /** Whether the text differs from the details, so that they do not prove it. */
  readonly differs: boolean;
}

/** Reads the reasoning, which services that send details also send as one text. Nearly always the text repeats the details. */
export const readReasoning = (said: JsonObject): SaidReasoning => {
  const plain = findText(said.reasoning_content) ?? findText(said.reasoning) ?? '';
  if (said.reasoning_details === undefined) return { plain, details: [], differs: false };
  const details = readDetails(said);
  const words = details.map(({ text, summary }) => text + summary);
  if (squeezed(words.join('')).includes(squeezed(plain))) return { plain: '', details, differs: false };
  if (!words.every((each) => plain.includes(each))) return { plain, details, differs: true };
  return { plain, details: details.map(({ rest }) => ({ text: '', summary: '', rest })), differs: false };
};
