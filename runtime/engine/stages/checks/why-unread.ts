import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

const remedy = 'Send a text, or name the check in no config for such requests.';

const decode = (body: JsonObject, { conversation }: Dialect): Conversation | 'invalid' | undefined => {
  try {
    return conversation?.decodeRequest(body, { scope: '', stream: false });
  } catch (error) {
    if (error instanceof GatewayError) return 'invalid';
    throw error;
  }
};

/** Whether the last turn has media but no text. */
const isMediaAlone = ({ turns }: Conversation): boolean => {
  const parts = turns.at(-1)?.parts ?? [];
  return parts.some(({ kind }) => kind === 'media') && !parts.some(({ kind }) => kind === 'text');
};

/** Returns why checks cannot read a request in which its dialect finds no text, and what to do. */
export const whyUnread = (body: JsonObject, dialect: Dialect): string => {
  const { id } = dialect;
  const conversation = decode(body, dialect);
  if (conversation === 'invalid')
    return `The request is not valid in the ${id} dialect. Correct it by the documentation of that API.`;
  if (conversation === undefined)
    return `The request has no text where the ${id} dialect has one, but for instance ids of tokens, which no check can read. ${remedy}`;
  return isMediaAlone(conversation)
    ? `The request is valid, but it contains no text, only an image, a recording or a file, which no check can read. Add a text to it, or do not use the check in configs for such requests.`
    : `The request has content that no check can read as a text. ${remedy}`;
};
