import { isDeepStrictEqual } from 'node:util';
import type { Conversation, Extensions, Part } from '../../../../schema/conversation/conversation.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { append } from '../json/append.ts';
import type { Lost } from './lost.ts';
import { withoutDropped } from './without-dropped.ts';

/** The values of tools, calls and media with which they are as they are without the member, as the vendors document them. */
const defaults: Readonly<Record<string, Json>> = {
  allowed_callers: ['direct'],
  async: false,
  caller: { type: 'direct' },
  defer_loading: false,
  eager_input_streaming: false,
  input_examples: [],
  transformations: {},
};

/** Returns the names of fields that have a value. Null counts as absent, as in the vendors' own services. */
const statedNames = (fields: JsonObject): readonly string[] =>
  Object.keys(fields).filter((name) => {
    const value = fields[name];
    return value !== null && !isDeepStrictEqual(value, lookUp(defaults, name));
  });

/** The objects in which formats have the members of tools, calls and media. */
const holders: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'extra_content',
  'functionCall',
  'toolSpec',
  'toolUse',
  'image_url',
  'file',
  'input_audio',
  'source',
  'inlineData',
  'fileData',
  'image',
  'document',
  'audio',
  'video',
]);

/** Returns the paths of the members of a tool or a part that have a value. */
const statedPaths = (members: JsonObject): readonly string[] =>
  statedNames(members).flatMap((name) => {
    const value = members[name];
    return holders.has(name) && isJsonObject(value) ? statedNames(value).map((inner) => `${name}.${inner}`) : [name];
  });

/** Lists the members that only other dialects have: those of the request, of its tools, and of the parts of its turns. */
const loseExtensions = (dialect: string, { extensions, tools, turns }: Conversation, lost: Lost): void => {
  const lose = (members: Extensions, path: string, list: (own: JsonObject) => readonly string[]): void => {
    for (const [other, own] of Object.entries(members)) {
      if (other === dialect) continue;
      append(
        lost,
        list(own).map((name) => `${path}extensions.${other}.${name}`),
      );
    }
  };
  const loseIn = (parts: readonly Part[], path: string): void => {
    parts.forEach((part, index) => {
      if (part.kind === 'tool-result') loseIn(part.parts, `${path}.parts[${index}]`);
      else if ('extensions' in part && part.extensions !== undefined)
        lose(part.extensions, `${path}.parts[${index}].`, statedPaths);
    });
  };
  lose(extensions, '', statedNames);
  tools.forEach((tool, index) => {
    if (tool.kind !== 'other' && tool.extensions !== undefined) lose(tool.extensions, `tools[${index}].`, statedPaths);
  });
  turns.forEach(({ parts }, index) => {
    loseIn(parts, `turns[${index}]`);
  });
};

/** Whether a request has no text of its own, but names a prompt of OpenAI: https://platform.openai.com/docs/guides/prompting */
const saysOnlyPrompt = ({ turns, extensions }: Conversation): boolean =>
  turns.length === 0 && isJsonObject(extensions.responses?.prompt);

/**
 * Omits everything that the provider does not accept, and lists it as lost, as well as the members of other dialects. Throws the
 * `GatewayError` `invalid-request` if the rest of the request contains nothing that a model can answer.
 */
export const finishRequest = (
  dialect: string,
  body: JsonObject,
  { conversation, target, lost }: { conversation: Conversation; target: EncodeTarget; lost: Lost },
): EncodedRequest => {
  if (dialect !== 'responses' && saysOnlyPrompt(conversation)) {
    const reason =
      'prompt cannot be used alone: the provider has no stored prompts of OpenAI. Send its words in input.';
    throw gatewayError('invalid-request', { dialect: 'responses', reason });
  }
  loseExtensions(dialect, conversation, lost);
  const { kept, dropped } = withoutDropped(body, target.drop);
  append(lost, dropped);
  // The seed, all digits of which count, has the same name in every format that has it at the top level.
  return { body: keepSources(kept, conversation.sampling), lost };
};
