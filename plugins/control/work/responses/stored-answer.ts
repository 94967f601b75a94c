import { isSuccess } from '../../../../schema/http/status.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import { type AnswerKeeping, finalResponse } from './stored/final-response.ts';
import { StoredStream } from './stored-stream.ts';

/** The header of an answer that should have been kept and was not, with the reason. */
const notKeptHeader = 'x-gw-response-not-kept';

const isEventStream = (headers: RawHeaders): boolean =>
  headerValue(headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') === true;

/** Whether a value is a response, and not something else that a provider answers with a 200. */
const isResponse = (value: Json | undefined): value is JsonObject =>
  isJsonObject(value) && value.object === 'response' && typeof value.id === 'string';

const whole = async (answer: GatewayResponse, bytes: Uint8Array, keeping: AnswerKeeping): Promise<GatewayResponse> => {
  const given = parseObject(toBuffer(bytes).toString());
  if (!isResponse(given)) return answer;
  const { response, why } = await finalResponse(given, keeping);
  const headers = why === undefined ? answer.headers : [...answer.headers, notKeptHeader, why];
  // Not a byte differs where nothing has to.
  const body = response === given ? bytes : Buffer.from(JSON.stringify(response));
  return { ...answer, headers, body: { kind: 'bytes', bytes: body } };
};

/** A successful answer to a request for a response, with the response in its form and kept; a stream when it ends. */
export const storedAnswer = async (answer: GatewayResponse, keeping: AnswerKeeping): Promise<GatewayResponse> => {
  const { status, headers, body } = answer;
  if (!isSuccess(status)) return answer;
  if (body.kind === 'bytes') return whole(answer, body.bytes, keeping);
  if (!isEventStream(headers)) return answer;
  return { ...answer, body: new StoredStream(body, keeping) };
};
