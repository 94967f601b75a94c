import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { CheckAnswer, CheckHttp, CheckRequest } from '../../../sdk/guardrail/guardrail.ts';
import { headerValue } from '../../../sdk/http/http.ts';
import { type AnswerReader, readAnswer } from './answer-reader.ts';

/** One request to a partner's service. */
export interface PartnerRequest extends Pick<CheckRequest, 'url' | 'headers' | 'cancellation'> {
  /** The partner's name, as used in messages. */
  readonly vendor: string;
  /** A JSON object, or a text whose content type is in the headers. */
  readonly body: JsonObject | string;
}

/**
 * The upper limit for a request in milliseconds. The time-out that matters is that of the check, which also ends its request:
 * 5,000 ms, or the value in the config.
 */
const longestMs = 60_000;

/** Returns the code in a documented error body of one of the partners. */
const codeIn = ({ error, code, Code, status, __type: type }: JsonObject): Json | undefined =>
  (isJsonObject(error) ? error.code : undefined) ?? code ?? Code ?? status ?? type;

/**
 * Returns the code of an error answer if it is a word, such as `InvalidRequest`. Messages in sentences are omitted, because they
 * might quote the judged text.
 */
const errorCode = ({ headers, text }: CheckAnswer, sent: readonly string[]): string => {
  const code = headerValue(headers, 'x-amzn-errortype')?.split(':')[0] ?? codeIn(parseObject(text) ?? {});
  const isWord = typeof code === 'string' && /^[A-Za-z][\w.-]{0,63}$/.test(code);
  return isWord && !sent.some((value) => value.includes(code)) ? ` (${code})` : '';
};

const advice = (status: number): string => {
  if (status === 401 || status === 403) return 'Check the credentials of the check.';
  if (status === 404) return 'Check the names in the parameters of the check, and its base URL.';
  if (status === 429) return 'Its rate limit is reached: send fewer requests, or request a higher limit.';
  return status >= 500 ? 'Its service has failed; try again later.' : 'Check the parameters of the check.';
};

/**
 * Sends a body to a partner and parses its JSON answer. Throws an `Error` that names the partner and the status for any answer
 * other than a 200 with a JSON object. No error message contains a key or the judged text.
 */
export const askPartner = async (
  http: CheckHttp,
  { vendor, url, headers = {}, body, cancellation }: PartnerRequest,
): Promise<AnswerReader> => {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const request = { url, headers, body: sent, timeoutMs: longestMs, cancellation };
  const answer = await http.send(request).catch((error: unknown) => {
    throw new Error(`${vendor} did not answer: ${errorText(error)}`);
  });
  const { status, text } = answer;
  if (status !== 200)
    throw new Error(
      `${vendor} answered with status ${status}${errorCode(answer, Object.values(headers))}. ${advice(status)}`,
    );
  const json = parseObject(text);
  if (json === undefined)
    throw new Error(`${vendor} answered with status 200, but not with a JSON object. Check the base URL of the check.`);
  return readAnswer(vendor, json);
};
