import { createHash } from 'node:crypto';
import type { AnswerFormat, Conversation, Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../json/defined.ts';
import type { Member } from '../json/member.ts';
import type { Lost } from './lost.ts';

/** The member for the schema of an answer in chat completions. Responses have it beside the type. */
type SchemaMember = 'json_schema';

/** Reads the format of an answer as OpenAI writes it. */
export const decodeFormat = (format: Member, inside?: SchemaMember): AnswerFormat | undefined => {
  if (format.absent) return undefined;
  switch (format.at('type').text()) {
    case 'text':
      return { kind: 'text' };
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema': {
      const schema = inside === undefined ? format : format.at(inside);
      return defined({
        kind: 'schema' as const,
        name: schema.at('name').maybeText(),
        schema: schema.at('schema').maybeObject() ?? {},
        strict: schema.at('strict').maybeBoolean(),
        description: schema.at('description').maybeText(),
      });
    }
    default:
      return format.at('type').fail('must be "text", "json_object" or "json_schema"');
  }
};

/** Writes the format of an answer as OpenAI reads it. A schema must have a name there. */
export const encodeFormat = (
  format: AnswerFormat | undefined,
  lost: Lost,
  inside?: SchemaMember,
): JsonObject | undefined => {
  switch (format?.kind) {
    case undefined:
      return undefined;
    case 'text':
      return { type: 'text' };
    case 'json':
      return { type: 'json_object' };
    case 'schema': {
      const { name, schema, strict, description } = format;
      if (name === undefined) lost.push('answerFormat.name');
      const named = defined({ name: name ?? 'response', description, schema, strict });
      return { type: 'json_schema', ...(inside === undefined ? named : { [inside]: named }) };
    }
  }
};

/** OpenAI answers 400 to a longer `user`, "Expected a string with maximum length 64". */
const longestUser = 64;

/**
 * Returns a conversation in which OpenAI accepts the id of the end user: an id as long as those of agents such as Claude Code is
 * hashed.
 */
export const withHashedUser = (conversation: Conversation): Conversation => {
  const { user } = conversation;
  if (user === undefined || user.length <= longestUser) return conversation;
  return { ...conversation, user: createHash('sha256').update(user).digest('hex') };
};

const saysJson = (part: Part): boolean => part.kind === 'text' && /json/i.test(part.text);

/**
 * Returns a conversation that mentions JSON if its answer is to be any JSON, because services of chat completions require that:
 * https://platform.openai.com/docs/guides/structured-outputs#json-mode
 */
export const withJsonInstruction = (conversation: Conversation): Conversation => {
  const { answerFormat, system, turns } = conversation;
  if (answerFormat?.kind !== 'json') return conversation;
  if (system.some(saysJson) || turns.some(({ parts }) => parts.some(saysJson))) return conversation;
  return { ...conversation, system: [...system, { kind: 'text', text: 'Answer in JSON.' }] };
};

/** The efforts, from lowest to highest. */
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The efforts that models accept, by their names at any service. They answer 400 or 422 to other efforts:
 * https://platform.openai.com/docs/guides/reasoning, https://console.groq.com/docs/reasoning,
 * https://docs.mistral.ai/capabilities/reasoning/adjustable, https://docs.x.ai/docs/guides/reasoning
 */
const effortsOfModels: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?:^|\/)o[134](?:-|$)/, ['low', 'medium', 'high']],
  [/(?:^|\/)gpt-5(?:-|$)/, ['minimal', 'low', 'medium', 'high']],
  [/(?:^|\/)gpt-5\.1(?!\d|.*codex-max)/, ['none', 'low', 'medium', 'high']],
  [/(?:^|\/)gpt-5\.[1-5](?!\d)/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/(?:^|\/)gpt-(?:5\.\d|[6-9])/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/(?:^|\/)gpt-oss(?:-|:|$)/, ['low', 'medium', 'high']],
  [/(?:^|\/)mistral-(?:small-(?:latest|2603)|medium-3[.-]5)(?:-|$)/, ['none', 'high']],
  [/(?:^|\/)grok-4\.3(?!\d)/, ['none', 'low', 'medium', 'high']],
];

/** Returns the next effort that a model has: a higher one if there is any. */
const fitEffort = (effort: string, model = ''): string => {
  const known = effortsOfModels.find(([names]) => names.test(model))?.[1];
  if (known === undefined || known.includes(effort) || !efforts.includes(effort)) return effort;
  const next = efforts.slice(efforts.indexOf(effort)).find((each) => known.includes(each));
  return next ?? known.at(-1) ?? effort;
};

/** Returns the effort. Nothing else can be expressed: a budget sent as an effort would fail on every model without reasoning. */
export const encodeEffort = ({ model, reasoning }: Conversation, lost: Lost): string | undefined => {
  if (reasoning?.kind === 'effort') {
    const fitted = fitEffort(reasoning.effort, model);
    if (fitted !== reasoning.effort) lost.push('reasoning');
    return fitted;
  }
  if (reasoning !== undefined) lost.push('reasoning');
  return undefined;
};
