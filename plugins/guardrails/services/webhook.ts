import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { defineGuardrail, type Guardrail, type Verdict } from '../../sdk/guardrail/guardrail.ts';
import { askForJson } from './ask-service.ts';
import { forwardErrors, forwardedHeaders, forwardParameter } from './forwarded-headers.ts';
import { notifyRequest, tellMs } from './notify-service.ts';
import { headerErrors, headerParameters, serviceHeaders } from './service-headers.ts';
import { serviceUrlErrors, shownUrl } from './service-url.ts';

/** The largest answer: a request may come back whole. */
const maxBytes = 32 * 1024 * 1024;

/** The whole new body that an answer gives. */
const newBody = (reply: JsonObject, phase: CheckPhase): JsonObject | undefined => {
  const { request, response } = findObject(reply.transformedData) ?? {};
  return findObject(findObject(phase === 'input' ? request : response)?.json);
};

const readVerdict = (reply: JsonObject, phase: CheckPhase, webhookUrl: string): Verdict => {
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
