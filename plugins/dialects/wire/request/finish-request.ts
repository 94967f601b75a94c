import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { append } from '../json/append.ts';
import type { Lost } from './lost.ts';
import { withoutDropped } from './without-dropped.ts';

/** The names of fields that say something: null counts as absent, as in the vendors' own services. */
const statedNames = (fields: JsonObject): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name] !== null);

/** Omits what the provider does not accept, and lists that and the fields of other dialects as lost. */
export const finishRequest = (
  dialect: string,
  body: JsonObject,
  { conversation, target, lost }: { conversation: Conversation; target: EncodeTarget; lost: Lost },
): EncodedRequest => {
  for (const [other, fields] of Object.entries(conversation.extensions))
    if (other !== dialect)
      append(
        lost,
        statedNames(fields).map((name) => `extensions.${other}.${name}`),
      );
  const { kept, dropped } = withoutDropped(body, target.drop);
  append(lost, dropped);
  return { body: kept, lost };
};
