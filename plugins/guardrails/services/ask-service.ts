import { isSuccess } from '../../../schema/http/status.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { CheckAnswer, CheckHttp, CheckRequest } from '../../sdk/guardrail/guardrail.ts';

/**
 * Sends a request that must be answered with a 2xx status. Errors name the service as `what`, and never contain what was sent.
 */
export const askService = async (http: CheckHttp, request: CheckRequest, what: string): Promise<CheckAnswer> => {
  const answer = await http.send(request).catch((error: unknown) => {
    throw new Error(`${what} cannot be reached: ${errorText(error)}`);
  });
  if (!isSuccess(answer.status)) throw new Error(`${what} answered with status ${answer.status}.`);
  return answer;
};

/** The same, for an answer that must be a JSON object. */
export const askForJson = async (http: CheckHttp, request: CheckRequest, what: string): Promise<JsonObject> => {
  const { text } = await askService(http, request, what);
  const value = parseObject(text);
  if (value === undefined) throw new Error(`${what} did not answer with a JSON object.`);
  return value;
};
