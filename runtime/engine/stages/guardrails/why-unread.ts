import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

const remedy = 'Send a text, or do not name the check in configs for such requests.';

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
    return `The request is not valid in the ${id} dialect. Correct it according to that API's documentation.`;
  if (conversation === undefined)
    return `Where the ${id} dialect has text, the request has something else, such as token ids, which checks cannot read. ${remedy}`;
  return isMediaAlone(conversation)
    ? `The request is valid, but it has only an image, a recording or a file, which checks cannot read, and no text. Add a text, or do not name the check in configs for such requests.`
    : `The request has content that checks cannot read as text. ${remedy}`;
};
