import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { defineGuardrail, type Guardrail, type Verdict } from '../../sdk/guardrail/guardrail.ts';
import { askForJson } from './ask-service.ts';
import { forwardErrors, forwardedHeaders, forwardParameter } from './forwarded-headers.ts';
import { notifyRequest, tellMs } from './notify-service.ts';
import { headerErrors, headerParameters, serviceHeaders } from './service-headers.ts';
import { serviceUrlErrors, shownUrl } from './service-url.ts';

/** The largest answer: a request may come back whole. */
const maxBytes = 32 * 1024 * 1024;

/** The whole new body that an answer gives, or what stands on the way to it and is no object; undefined where nothing does. */
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
  // What passes only as the webhook has changed it may not pass as it was.
  if (verdict && body !== undefined && !isJsonObject(body))
    throw new Error('The webhook answered with a "transformedData" whose new body is no JSON object.');
  return {
    pass: verdict,
    data: { explanation: `The webhook ${verdict ? 'passed' : 'failed'} it.`, webhookUrl, responseData: data },
    ...(isJsonObject(body) && { body }),
  };
};

/** A webhook judges the request or the answer, and may give a new body for it. */
export const webhook: Guardrail = defineGuardrail({
  id: 'default.webhook',
  parameters: {
    type: 'object',
    required: ['webhookURL'],
    properties: {
      webhookURL: { type: 'string', format: 'uri', description: 'Where the request is posted to.' },
      ...headerParameters,
      ...forwardParameter,
    },
  },
  faults: ({ webhookURL, headers, secretHeaders, forwardHeaders }) => [
    ...serviceUrlErrors('webhookURL', webhookURL),
    ...headerErrors(headers, secretHeaders),
    ...forwardErrors(forwardHeaders),
  ],
  timeoutMs: () => tellMs,
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
