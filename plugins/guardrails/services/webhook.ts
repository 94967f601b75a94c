import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { lookUp } from '../../../schema/look-up.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import { defineGuardrail, type Guardrail, type Verdict } from '../../sdk/guardrail.ts';
import { askForJson } from './ask-service.ts';
import { headerFaults, headerParameters, serviceHeaders } from './service-headers.ts';
import { serviceUrlFaults, shownUrl } from './service-url.ts';
import { toldRequest } from './told-request.ts';

const defaultTimeoutMs = 3000;
/** A webhook is waited for as long as the check is, but never longer than this. */
const longestMs = 600_000;
/** The largest answer: a request may come back whole. */
const mostBytes = 32 * 1024 * 1024;

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? lookUp(value, name) : undefined;

/** The whole new body that an answer gives. */
const newBody = (reply: JsonObject, phase: CheckPhase): JsonObject | undefined => {
  const transformed = memberOf(reply.transformedData, phase === 'input' ? 'request' : 'response');
  const body = memberOf(transformed, 'json');
  return isJsonObject(body) ? body : undefined;
};

const verdictOf = (reply: JsonObject, phase: CheckPhase, webhookUrl: string): Verdict => {
  const { verdict, data = null } = reply;
  if (typeof verdict !== 'boolean')
    throw new Error('The webhook answered without a verdict. Its answer needs "verdict": true or false.');
  const body = newBody(reply, phase);
  return {
    pass: verdict,
    data: { explanation: `The webhook ${verdict ? 'passed' : 'failed'} it.`, webhookUrl, responseData: data },
    ...(body === undefined ? {} : { body }),
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
    },
  },
  faults: ({ webhookURL, headers, secretHeaders }) => [
    ...serviceUrlFaults('webhookURL', webhookURL),
    ...headerFaults(headers, secretHeaders),
  ],
  timeoutMs: () => defaultTimeoutMs,
  create({ webhookURL, headers, secretHeaders }, { http }) {
    const sent = serviceHeaders(headers, secretHeaders);
    return async (input) => {
      const reply = await askForJson(
        http,
        {
          url: webhookURL,
          headers: sent,
          body: JSON.stringify(toldRequest(input)),
          timeoutMs: longestMs,
          maxBytes: mostBytes,
          cancellation: input.cancellation,
        },
        'The webhook',
      );
      return verdictOf(reply, input.phase, shownUrl(webhookURL));
    };
  },
});
