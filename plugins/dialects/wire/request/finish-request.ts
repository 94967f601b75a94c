import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { append } from '../json/append.ts';
import type { Lost } from './lost.ts';
import { withoutDropped } from './without-dropped.ts';

/** The names of fields that say something: null counts as absent, as in the vendors' own services. */
const statedNames = (fields: JsonObject): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name] !== null);

/** Whether a request says nothing itself, but names a prompt of OpenAI: https://platform.openai.com/docs/guides/prompting */
const saysOnlyPrompt = ({ turns, extensions }: Conversation): boolean =>
  turns.length === 0 && isJsonObject(extensions.responses?.prompt);

/**
 * Omits what the provider does not accept, and lists that and the fields of other dialects as lost. Throws the `GatewayError`
 * `invalid-request` for a request of which nothing would be left that a model can answer.
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
  // The seed, of which all digits count, has one name in all formats that have it at the top.
  return { body: keepSources(kept, conversation.sampling), lost };
};
