import type { JsonObject } from '../../../../schema/json/json.ts';
import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';

/** The parameters of all Pangea checks. */
export interface PangeaParameters {
  readonly credentials: { readonly apiKey: string; readonly domain: string };
  readonly baseUrl?: string;
}

/** The name in messages. */
export const vendor = 'Pangea';

/**
 * Creates a function that sends requests and returns the `result` of the answer. Each service has its own host:
 * https://pangea.cloud/docs/api/#endpoints.
 */
export const askPangea = (
  service: string,
  { credentials: { apiKey, domain }, baseUrl = `https://${service}.${domain}` }: PangeaParameters,
  { http }: CheckServices,
): ((path: string, body: JsonObject, cancellation: Cancellation) => Promise<AnswerReader>) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  return async (path, body, cancellation) => {
    const answer = await askPartner(http, { vendor, url: urlBelow(baseUrl, path), headers, body, cancellation });
    if (answer.text('status') !== 'Success')
      throw new Error(`${vendor} answered with status 200, but not with "Success". Check the log of your project.`);
    return answer.object('result');
  };
};
