import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { append } from '../json/append.ts';
import type { Lost } from './lost.ts';
import { withoutDropped } from './without-dropped.ts';

/** Returns the names of fields that have a value. Null counts as absent, as in the vendors' own services. */
const statedNames = (fields: JsonObject): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name] !== null);

/** Whether a request has no text of its own, but names a prompt of OpenAI: https://platform.openai.com/docs/guides/prompting */
const saysOnlyPrompt = ({ turns, extensions }: Conversation): boolean =>
  turns.length === 0 && isJsonObject(extensions.responses?.prompt);

/**
 * Omits everything that the provider does not accept, and lists it as lost, as well as the fields of other dialects. Throws the
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
  for (const [other, fields] of Object.entries(conversation.extensions))
    if (other !== dialect)
      append(
        lost,
        statedNames(fields).map((name) => `extensions.${other}.${name}`),
      );
  const { kept, dropped } = withoutDropped(body, target.drop);
  append(lost, dropped);
  // The seed, all digits of which count, has the same name in every format that has it at the top level.
  return { body: keepSources(kept, conversation.sampling), lost };
};
