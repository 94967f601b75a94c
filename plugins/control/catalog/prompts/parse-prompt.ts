import type { PromptKind } from '../../../../schema/config/saved.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { PromptContent } from './prompt-content.ts';
import { parseTemplate } from './templates/parse-template.ts';
import { type JsonTemplate, parseJsonTemplate, templatesIn } from './templates/render-template.ts';
import type { Template } from './templates/template.ts';

/** Returns the error of parameters that are nested under `hyperparameters`; undefined if they are not. */
export const hyperparametersError = (
  parameters: JsonObject,
  pointer: JsonPointer = rootPointer,
): InputProblem | undefined =>
  Object.hasOwn(parameters, 'hyperparameters')
    ? {
        pointer: childPointer(pointer, 'hyperparameters'),
        message: 'Parameters are not nested under "hyperparameters".',
        hint: 'Write them one level higher, such as "max_tokens" instead of "hyperparameters.max_tokens".',
      }
    : undefined;

/** A chat prompt, a chat prompt that is rendered as a whole, or a completion prompt. */
export type PromptText =
  | { readonly kind: 'messages'; readonly template: JsonTemplate }
  | { readonly kind: 'raw'; readonly template: Template }
  | { readonly kind: 'text'; readonly template: Template };

/** The content of a prompt with its templates parsed. */
export interface ParsedPrompt {
  readonly content: PromptContent;
  readonly text: PromptText;
}

type TextParse =
  | { readonly text: PromptText; readonly problems?: undefined }
  | { readonly problems: readonly InputProblem[]; readonly text?: undefined };

/**
 * A prompt, or the problems of its content. Line and column refer to `place`, a string among the messages; without a place they
 * refer to `string`.
 */
type PromptParse =
  | { readonly prompt: ParsedPrompt; readonly problems?: undefined }
  | { readonly problems: readonly InputProblem[]; readonly prompt?: undefined };

const pointer = childPointer(rootPointer, 'string');

const notMessages: InputProblem = {
  pointer,
  message:
    'Each item of the list must be a message: an object with a "role", and a "name" that is a text if it has one.',
  hint: 'Write [{"role": "user", "content": "…"}].',
};
const notJson: InputProblem = {
  pointer,
  message: 'The text begins like a list of messages, but is not JSON.',
  hint: 'Correct it, or set "is_raw_template" to 1 if it becomes JSON when it is rendered.',
};

/** Whether a value is a list of messages. */
export const areMessages = (value: Json): boolean =>
  Array.isArray(value) &&
  value.every(
    (item) =>
      isJsonObject(item) && typeof item.role === 'string' && (item.name === undefined || typeof item.name === 'string'),
  );

const parseMessages = (messages: Json): TextParse => {
  if (!areMessages(messages)) return { problems: [notMessages] };
  const { template, problems } = parseJsonTemplate(messages);
  if (template !== undefined) return { text: { kind: 'messages', template } };
  return { problems: problems.map(({ pointer: place, ...problem }) => ({ ...problem, pointer, place })) };
};

const parseText = ({ string, is_raw_template: raw }: PromptContent): TextParse => {
  const messages = raw === 1 ? undefined : parseJson(string);
  if (Array.isArray(messages)) return parseMessages(messages);
  if (raw !== 1 && /^\s*\[\s*\{\s*"/.test(string)) return { problems: [notJson] };
  const { template, problems } = parseTemplate(string);
  if (template !== undefined) return { text: { kind: raw === 1 ? 'raw' : 'text', template } };
  return { problems: problems.map((problem) => ({ ...problem, pointer })) };
};

/** Parses the templates of a prompt's content, which matches its schema, or returns all its problems. */
export const parsePrompt = (content: PromptContent): PromptParse => {
  const parsed = parseText(content);
  const nested = hyperparametersError(content.parameters, childPointer(rootPointer, 'parameters'));
  if (nested !== undefined) return { problems: [nested, ...(parsed.problems ?? [])] };
  return parsed.text === undefined ? parsed : { prompt: { content, text: parsed.text } };
};

/** A template of a prompt; `place` is its string among the messages, and is absent if the prompt is a single template. */
export interface PromptTemplate {
  readonly place?: JsonPointer;
  readonly template: Template;
}

/** Returns the templates of a prompt, with their places. */
export const placedTemplates = ({ text }: ParsedPrompt): readonly PromptTemplate[] =>
  text.kind === 'messages' ? templatesIn(text.template) : [{ template: text.template }];

/** Returns the templates of a prompt. */
export const promptTemplates = (prompt: ParsedPrompt): readonly Template[] =>
  placedTemplates(prompt).map(({ template }) => template);

/** Returns whether a prompt is rendered to messages, or to the prompt of a completion. */
export const promptKind = ({ text }: Pick<ParsedPrompt, 'text'>): PromptKind =>
  text.kind === 'text' ? 'text' : 'chat';
