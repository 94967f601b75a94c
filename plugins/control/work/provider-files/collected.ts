import { isSuccess } from '../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import { answerBytes } from '../accounts/answers/answer-bytes.ts';

/** An answer that was read whole. */
export interface Collected {
  readonly answer: GatewayResponse;
  /** What it says, where that is a JSON object and the provider did what it was asked for. */
  readonly said: JsonObject | undefined;
}

/**
 * Reads an answer of the data path whole, which must come without a content-encoding. Rejects with the `GatewayError`
 * `answer-too-large`, or that of a body that breaks off.
 */
export const collected = async (answer: GatewayResponse): Promise<Collected> => {
  const bytes = await answerBytes(answer.body);
  const isDone = answer.origin === 'upstream' && isSuccess(answer.status);
  return {
    answer: { ...answer, body: { kind: 'bytes', bytes } },
    said: isDone ? parseObject(bytes.toString()) : undefined,
  };
};
