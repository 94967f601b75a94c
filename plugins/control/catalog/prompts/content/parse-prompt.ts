import { isJsonObject, type Json, type NonEmptyArray } from '../../../../../schema/json/json.ts';
import { parseJson } from '../../../../../schema/json/parse-json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { type JsonTemplate, parseJsonTemplate, templatesIn } from '../templates/json-template.ts';
import { parseTemplate } from '../templates/parse-template.ts';
import type { Position, Template } from '../templates/template.ts';
import { type BodyFault, hyperparametersFault } from './hyperparameters-fault.ts';
import type { PromptContent } from './prompt-content.ts';

/** A chat prompt, a chat prompt that is rendered as a whole, or a completion prompt. */
export type PromptText =
  | { readonly kind: 'messages'; readonly template: JsonTemplate }
  | { readonly kind: 'raw' | 'text'; readonly template: Template };

/** The content of a prompt with its templates parsed. */
export interface ParsedPrompt {
  readonly content: PromptContent;
  readonly text: PromptText;
}

type TextParse =
  | { readonly text: PromptText; readonly problems?: undefined }
  | { readonly problems: NonEmptyArray<PromptProblem>; readonly text?: undefined };

/**
 * A mistake in the content of a prompt. `place` is the string among the messages, to which line and column belong; without
 * one they are those of `string`.
 */
export interface PromptProblem extends BodyFault, Partial<Position> {
  readonly place?: JsonPointer;
}

export type PromptParse =
  | { readonly prompt: ParsedPrompt; readonly problems?: undefined }
  | { readonly problems: NonEmptyArray<PromptProblem>; readonly prompt?: undefined };

const pointer = childPointer(rootPointer, 'string');

const notMessages: PromptProblem = {
  pointer,
  message:
    'Each item of the list must be a message: an object with a "role", and a "name" that is a text if it has one.',
  hint: 'Write [{"role": "user", "content": "…"}].',
};
const notJson: PromptProblem = {
  pointer,
  message: 'The text begins as a list of messages, but is no JSON.',
  hint: 'Correct it, or set "is_raw_template" to 1 if it becomes JSON when it is rendered.',
};

/** Whether a value is a list of messages. */
export const areMessages = (value: Json): boolean =>
  Array.isArray(value) &&
  value.every(
    (item) =>
      isJsonObject(item) && typeof item.role === 'string' && (item.name === undefined || typeof item.name === 'string'),
  );

const mapAll = <From, To>([first, ...others]: NonEmptyArray<From>, map: (item: From) => To): NonEmptyArray<To> => [
  map(first),
  ...others.map(map),
];

const parseMessages = (messages: Json): TextParse => {
  if (!areMessages(messages)) return { problems: [notMessages] };
  const { template, problems } = parseJsonTemplate(messages);
  if (template !== undefined) return { text: { kind: 'messages', template } };
  return { problems: mapAll(problems, ({ pointer: place, ...problem }) => ({ ...problem, pointer, place })) };
};

const parseText = ({ string, is_raw_template: raw }: PromptContent): TextParse => {
  const messages = raw === 1 ? undefined : parseJson(string);
  if (Array.isArray(messages)) return parseMessages(messages);
  if (raw !== 1 && /^\s*\[\s*\{\s*"/.test(string)) return { problems: [notJson] };
  const { template, problems } = parseTemplate(string);
  if (template !== undefined) return { text: { kind: raw === 1 ? 'raw' : 'text', template } };
  return { problems: mapAll(problems, (problem) => ({ ...problem, pointer })) };
};

/** Parses the templates of a prompt's content, which fits its schema; all problems if there are any. */
export const parsePrompt = (content: PromptContent): PromptParse => {
  const parsed = parseText(content);
  const nested = hyperparametersFault(content.parameters, childPointer(rootPointer, 'parameters'));
  if (nested !== undefined) return { problems: [nested, ...(parsed.problems ?? [])] };
  return parsed.text === undefined ? parsed : { prompt: { content, text: parsed.text } };
};

/** A template of a prompt; `place` is its string among the messages, absent where the prompt is one template. */
export interface PromptTemplate {
  readonly place?: JsonPointer;
  readonly template: Template;
}

/** The templates of a prompt, with their places. */
export const placedTemplates = ({ text }: ParsedPrompt): readonly PromptTemplate[] =>
  text.kind === 'messages' ? templatesIn(text.template) : [{ template: text.template }];

/** The templates of a prompt, in which partials and variables are found. */
export const promptTemplates = (prompt: ParsedPrompt): readonly Template[] =>
  placedTemplates(prompt).map(({ template }) => template);
