import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { askService } from './ask-service.ts';
import { forwardErrors, forwardedHeaders, forwardParameter } from './forwarded-headers.ts';
import { notifyRequest, notifyTimeoutMs } from './notify-service.ts';
import { headerErrors, headerParameters, serviceHeaders } from './service-headers.ts';
import { serviceUrlErrors, shownUrl } from './service-url.ts';

/**
 * Posts the request or the answer to a service. Passes once the service has accepted it, and throws if the service cannot be
 * reached.
 */
export const log: Guardrail = defineGuardrail({
  id: 'default.log',
  parameters: {
    type: 'object',
    required: ['logURL'],
    properties: {
      logURL: { type: 'string', format: 'uri', description: 'The URL to which the request is posted.' },
      ...headerParameters,
      ...forwardParameter,
    },
  },
  faults: ({ logURL, headers, secretHeaders, forwardHeaders }) => [
    ...serviceUrlErrors('logURL', logURL),
    ...headerErrors(headers, secretHeaders),
    ...forwardErrors(forwardHeaders),
  ],
  timeoutMs: () => notifyTimeoutMs,
  create({ logURL, headers, secretHeaders, forwardHeaders }, { http }) {
    const sent = serviceHeaders(headers, secretHeaders);
    return async (input) => {
      await askService(
        http,
        notifyRequest(input, {
          url: logURL,
          headers: { ...forwardedHeaders(forwardHeaders, input.request.headers), ...sent },
        }),
        'The log service',
      );
      return { pass: true, data: { explanation: 'The log service has received it.', logUrl: shownUrl(logURL) } };
    };
  },
});
