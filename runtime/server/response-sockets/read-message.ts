import { gatewayError } from '../../../schema/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { readJsonBytes } from '../../json-bodies/read/read-json-bytes.ts';

/** A `response.create` message of a client. */
export interface CreateMessage {
  /** The lane of the response, whose events name it. Absent: the lane without a name. */
  readonly streamId: string | undefined;
  /** Whether the model is to answer. If not, the message only adds to the conversation. */
  readonly generates: boolean;
  /** The body of the request that it stands for. */
  readonly body: JsonObject;
}

const refused = (reason: string): Error => gatewayError('invalid-request', { dialect: 'responses', reason });

/** A message with which clients acknowledge a response, and which has no answer. */
const acknowledgement = 'response.processed';

/**
 * Reads a message of a client: https://developers.openai.com/api/docs/guides/websocket-mode. Undefined if it has no answer. Throws
 * the `GatewayError`s `malformed-body` and `invalid-request`.
 */
export const readMessage = (bytes: Buffer): CreateMessage | undefined => {
  const message = readJsonBytes(bytes);
  if (!isJsonObject(message)) throw gatewayError('malformed-body', { reason: 'it is not an object.' });
  const { type, stream_id: streamId, generate = true, stream: _implied, ...body } = message;
  if (type === acknowledgement) return undefined;
  if (type !== 'response.create') throw refused('"type" must be "response.create".');
  if (streamId !== undefined && typeof streamId !== 'string') throw refused('"stream_id" must be a string.');
  if (typeof generate !== 'boolean') throw refused('"generate" must be true or false.');
  if (body.background === true) throw refused('"background" cannot be true over WebSocket.');
  return { streamId, generates: generate, body: { ...body, stream: true } };
};
