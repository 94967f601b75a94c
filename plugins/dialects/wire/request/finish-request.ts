import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { append } from '../json/append.ts';
import type { Lost } from './lost.ts';

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
        Object.keys(fields).map((name) => `extensions.${other}.${name}`),
      );
  const members = Object.entries(body);
  append(
    lost,
    members.flatMap(([name]) => (target.drop.has(name) ? [name] : [])),
  );
  return { body: Object.fromEntries(members.filter(([name]) => !target.drop.has(name))), lost };
};
