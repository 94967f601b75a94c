import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { areMessages, type ParsedPrompt, type PromptText } from '../content/parse-prompt.ts';
import { renderJson } from '../templates/json-template.ts';
import { renderRaw } from '../templates/render-raw.ts';
import { type RenderOptions, renderTemplate } from '../templates/render-template.ts';
import { TemplateError } from '../templates/template-error.ts';

export interface RenderPromptOptions extends RenderOptions {
  /** The parameters of the request, which replace the prompt's own. */
  readonly overrides?: JsonObject;
}

const toMessages = (messages: Json): JsonObject => {
  if (!areMessages(messages))
    throw new TemplateError('The rendered text must be a JSON list of messages, which are objects with a "role".');
  return { messages };
};

const renderText = (text: PromptText, variables: JsonObject, options: RenderOptions): JsonObject => {
  if (text.kind === 'messages') return toMessages(renderJson(text.template, variables, options));
  return text.kind === 'raw'
    ? toMessages(renderRaw(text.template, variables, options))
    : { prompt: renderTemplate(text.template, variables, options) };
};

const present = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, Json][] => (value === undefined ? [] : [[name, value]])),
  );

/**
 * The rendered prompt, which is the `data` of the render response: the messages (or the `prompt` of a completion), the
 * stored parameters, and what the request gives in their place. Throws a `TemplateError` where it cannot be rendered.
 */
export const renderPrompt = (
  { content, text }: ParsedPrompt,
  variables: JsonObject,
  { overrides = {}, ...options }: RenderPromptOptions,
): JsonObject => {
  const { parameters, model, functions, tools, tool_choice } = content;
  const own = present({ model, functions, tools, tool_choice });
  return { ...renderText(text, variables, options), ...parameters, ...own, ...overrides };
};
