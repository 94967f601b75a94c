import { expect } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../../support/servers/upstream-server.ts';

/** Words that a check denies, and words that no check denies. */
export const denied = 'plutonium of the laboratory';
export const allowed = 'water of the laboratory';

const check = { 'default.contains': { operator: 'none', words: ['plutonium'] }, deny: true };

export interface Client {
  readonly provider: string;
  readonly path: string;
  /** The members of its config, beside the provider and the key. */
  readonly config?: JsonObject;
  /** The members that each of its bodies needs. */
  readonly body?: JsonObject;
}

export type DialectId =
  | 'chat'
  | 'messages'
  | 'responses'
  | 'gemini'
  | 'converse'
  | 'cohere'
  | 'completions'
  | 'embeddings';

/** For each dialect, the provider and the path that its clients call. */
const clients: Readonly<Record<DialectId, Client>> = {
  chat: { provider: 'openai', path: '/v1/chat/completions', body: { model: 'm' } },
  messages: { provider: 'anthropic', path: '/v1/messages', body: { model: 'm', max_tokens: 9 } },
  responses: { provider: 'openai', path: '/v1/responses', body: { model: 'm' } },
  gemini: { provider: 'google', path: '/v1beta/models/m:generateContent' },
  converse: { provider: 'bedrock', path: '/model/m/converse', config: { cloudc_region: 'us-east-1' } },
  cohere: { provider: 'cohere', path: '/v2/chat', body: { model: 'm' } },
  completions: { provider: 'openai', path: '/v1/completions', body: { model: 'm' } },
  embeddings: { provider: 'openai', path: '/v1/embeddings', body: { model: 'm' } },
};

export const toClient = (id: DialectId): Client => clients[id];

export interface JudgingGateway extends AsyncDisposable {
  readonly upstream: TestUpstream;
  /** Sends a body with a config whose checks, of the request or of the answer, deny a word. */
  ask(
    client: Client,
    checked: 'input' | 'output',
    body: JsonObject,
  ): Promise<{ readonly status: number; readonly text: string; readonly sent: number }>;
}

/** A gateway to which callers send their configs, and the upstream of all of these configs. */
export const startJudging = async (): Promise<JudgingGateway> => {
  const upstream = await startUpstream();
  const gateway: GatewayProcess = await startGateway({ files: { 'gateway.json': {} } });
  return {
    upstream,
    async ask({ provider, path, config = {}, body: own = {} }, checked, body) {
      const before = upstream.requests.length;
      const whole = {
        provider,
        api_key: 'k',
        custom_host: upstream.origin,
        ...config,
        [`${checked}_guardrails`]: [check],
      };
      const answer = await fetch(`${gateway.origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(whole) },
        body: JSON.stringify({ ...own, ...body }),
      });
      const text = await answer.text();
      return { status: answer.status, text, sent: upstream.requests.length - before };
    },
    async [Symbol.asyncDispose]() {
      await gateway.stop();
      await upstream.close();
    },
  };
};

/** Sends two requests: one with words that pass, and one with words that must not be sent. */
export const expectJudged = async (
  { ask }: JudgingGateway,
  client: Client,
  toBody: (words: string) => JsonObject,
): Promise<void> => {
  expect(await ask(client, 'input', toBody(allowed))).toMatchObject({ status: 200, sent: 1 });
  expect(await ask(client, 'input', toBody(denied))).toMatchObject({ status: 446, sent: 0 });
};
