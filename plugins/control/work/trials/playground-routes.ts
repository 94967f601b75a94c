import { consoleHeader } from '../../../sdk/control-plane/session-cookies.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import type { RawHeaders } from '../../../sdk/http/http.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { forwardedReplies } from '../../kernel/requests/replies.ts';

/** The label of requests from the playground in the log and in the ledger. */
const playgroundLabel = { 'gw-console': 'playground' } as const;

/** The headers that pages may choose. All others, including cookies, belong to the browser and are not sent to a provider. */
const chosen = /^(?:x-gw-(?!console$)|anthropic-|openai-|accept$)/i;

/**
 * The headers of responses that pages may read. Browsers would act on others, such as `Set-Cookie`, which a provider must not set
 * for this host.
 */
const answered = /^(?:x-gw-|content-(?:type|encoding|length)$|retry-after$)/i;

const matching = (headers: RawHeaders, names: RegExp): RawHeaders =>
  headers.flatMap((name, at) => (at % 2 === 0 && names.test(name) ? [name, headers[at + 1] ?? ''] : []));

const asPlayground = (principal: Principal): Principal => ({
  ...principal,
  defaults: {
    allowConfigOverride: true,
    ...principal.defaults,
    metadata: { ...principal.defaults?.metadata, ...playgroundLabel },
  },
});

/** The route with which the console sends requests to models: as its session, with the limits of the session's key. */
export const playgroundRoutes = (): readonly ControlRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/console/playground',
    operationId: 'play_request',
    summary: 'Sends a request to a model with the session of the console.',
    scope: 'completions.write',
    admits: 'sessions',
    isAtRoot: true,
    query: {
      type: 'object',
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          minLength: 2,
          maxLength: 2048,
          pattern: '^/[!-~]+$',
          description: 'The path and query of a model call, such as `/v1/chat/completions`.',
        },
      },
    },
    headers: {
      type: 'object',
      properties: { [consoleHeader]: { type: 'string', description: '`1`, together with the cookie of a session.' } },
    },
    body: 'whole',
    replies: { 200: forwardedReplies, default: forwardedReplies },
    handle: async ({ query: { path }, received }, { dispatch, headers: sent, principal }) => {
      const request = { method: 'POST', path, headers: matching(sent, chosen), received, isModelCall: true } as const;
      const response = await dispatch(request, asPlayground(principal));
      return { ...response, headers: matching(response.headers, answered) };
    },
  }),
];
