import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { sharedByTests } from '../../../support/run/shared-by-tests.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../../support/vendors/anthropic-wire.ts';
import { openSession, type SessionClient, type SessionTarget } from '../../realtime/support/session-client.ts';

/** The service key of the gateway. */
export const key = 'a-service-key-of-this-test-with-40-letters';

export interface ServedResponses {
  readonly gateway: GatewayProcess;
  readonly provider: TestUpstream;
}

/** Answers in Anthropic's format with `Hello!`. */
export const answerAsClaude: UpstreamHandler = (call) => {
  const sse = call.sse();
  for (const frame of anthropicStream({ text: 'Hello!' })) sse.send(frame);
  sse.end();
};

/** Starts a gateway with a service key, and a provider, which the tests of a file share. */
export const servedResponses = (settings: object = {}): (() => ServedResponses) =>
  sharedByTests('gateway', async (whenFinished) => {
    const provider = await startUpstream(answerAsClaude);
    whenFinished(() => provider.close());
    const gateway = await startGateway({
      files: { 'gateway.json': { auth: { keys: [{ id: 'team', key: '${env:KEY}' }] }, ...settings } },
      args: ['--config', 'gateway.json'],
      env: { KEY: key },
    });
    whenFinished(() => gateway.stop());
    return { gateway, provider };
  });

/** Returns a target of the provider, and the headers of its clients. */
export const socketAt = (
  { gateway, provider }: ServedResponses,
  target: object = {},
  more: Partial<SessionTarget> = {},
): SessionTarget => ({
  origin: gateway.origin,
  path: '/v1/responses',
  headers: {
    authorization: `Bearer ${key}`,
    'x-gw-config': JSON.stringify({
      ...{ provider: 'anthropic', api_key: 'sk', custom_host: `${provider.origin}/v1`, retry: { attempts: 0 } },
      ...target,
    }),
  },
  ...more,
});

/** Opens a WebSocket for responses. Rejects with the gateway's answer if it opens none. */
export const openResponses = (
  served: ServedResponses,
  target: object = {},
  more: Partial<SessionTarget> = {},
): Promise<SessionClient> => openSession(socketAt(served, target, more));

/** A message that asks for a response. */
export const create = (members: object = {}): { readonly type: string } => ({
  ...{ type: 'response.create', model: 'claude-sonnet-4-5', store: false, input: 'Hello?' },
  ...members,
});

type Event = Awaited<ReturnType<SessionClient['next']>>;

/** Returns the id of the response that an event describes. */
export const responseId = ({ response }: Event): string => String((response as { readonly id?: unknown }).id);
