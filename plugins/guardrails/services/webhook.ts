import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { defineGuardrail, type Guardrail, type Verdict } from '../../sdk/guardrail/guardrail.ts';
import { askForJson } from './ask-service.ts';
import { forwardErrors, forwardedHeaders, forwardParameter } from './forwarded-headers.ts';
import { notifyRequest, notifyTimeoutMs } from './notify-service.ts';
import { headerErrors, headerParameters, serviceHeaders } from './service-headers.ts';
import { serviceUrlErrors, shownUrl } from './service-url.ts';

/** The maximum size of an answer, which may contain a whole request. */
const maxBytes = 32 * 1024 * 1024;

/** Returns the new body in an answer, or the value on the way to it that is not an object. Undefined if there is none. */
const findBody = (reply: JsonObject, phase: CheckPhase): Json | undefined => {
  let at: Json = reply;
  for (const name of ['transformedData', phase === 'input' ? 'request' : 'response', 'json']) {
    if (!isJsonObject(at)) break;
    const value: Json = lookUp(at, name) ?? null;
    if (value === null) return undefined;
    at = value;
  }
  return at;
};

const readVerdict = (reply: JsonObject, phase: CheckPhase, webhookUrl: string): Verdict => {
  const { verdict, data = null } = reply;
  if (typeof verdict !== 'boolean')
    throw new Error('The webhook answered without a verdict. Its answer needs "verdict": true or false.');
  const body = findBody(reply, phase);
  // If the webhook passes a request only in a changed form, the original must not pass.
  if (verdict && body !== undefined && !isJsonObject(body))
    throw new Error('The webhook answered with a "transformedData" whose new body is not a JSON object.');
  return {
    pass: verdict,
    data: { explanation: `The webhook returned the verdict ${verdict}.`, webhookUrl, responseData: data },
    ...(isJsonObject(body) && { body }),
  };
};

/** Calls a webhook that judges the request or the answer, and may return a new body for it. */
export const webhook: Guardrail = defineGuardrail({
  id: 'default.webhook',
  parameters: {
    type: 'object',
    required: ['webhookURL'],
    properties: {
      webhookURL: { type: 'string', format: 'uri', description: 'The URL to which the request is posted.' },
      ...headerParameters,
      ...forwardParameter,
    },
  },
  faults: ({ webhookURL, headers, secretHeaders, forwardHeaders }) => [
    ...serviceUrlErrors('webhookURL', webhookURL),
    ...headerErrors(headers, secretHeaders),
    ...forwardErrors(forwardHeaders),
  ],
  timeoutMs: () => notifyTimeoutMs,
  create({ webhookURL, headers, secretHeaders, forwardHeaders }, { http }) {
    const sent = serviceHeaders(headers, secretHeaders);
    return async (input) => {
      const request = {
        ...notifyRequest(input, {
          url: webhookURL,
          headers: { ...forwardedHeaders(forwardHeaders, input.request.headers), ...sent },
        }),
        maxBytes,
      };
      const reply = await askForJson(http, request, 'The webhook');
      return readVerdict(reply, input.phase, shownUrl(webhookURL));
    };
  },
});
