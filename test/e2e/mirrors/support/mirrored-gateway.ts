import { onTestFinished, vi } from 'vitest';
import type { GatewayProcess } from '../../../support/gateway-process.ts';
import { patience } from '../../../support/patience.ts';
import { control, makeKey, type NewKey, serveStore } from '../../../support/stored-gateway.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../../support/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../../support/vendors/openai-wire.ts';

export const said = 'The bridge was built of stone in the year 1604.';
const alike = 'The bridge was built of stone, in the year 1604, by two brothers.';

/** Answers whole or as a stream, as the request asks. */
const answering =
  (text: string, model: string) =>
  (call: UpstreamCall): void => {
    if (JSON.parse(call.request.body.toString()).stream !== true) {
      call.json(openaiAnswer({ text, model }));
      return;
    }
    const stream = call.sse();
    for (const frame of openaiStream({ text, model }, { withUsage: true })) stream.send(frame);
    stream.end();
  };

export interface MirroredGateway {
  readonly gateway: GatewayProcess;
  readonly key: NewKey;
  readonly primary: TestUpstream;
  readonly mirror: TestUpstream;
}

/** A dollar for a million tokens of the models called `priced`, and a tenth of that for `cheap`. */
const gatewayFile = {
  metrics: true,
  prices: { openai: { priced: { input: 1, output: 1 }, cheap: { input: 0.1, output: 0.1 } } },
};

const started = async (answer: (call: UpstreamCall) => void): Promise<TestUpstream> => {
  const upstream = await startUpstream(answer);
  onTestFinished(() => upstream.close());
  return upstream;
};

const save = async (gateway: GatewayProcess, slug: string, upstream: TestUpstream): Promise<void> => {
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(gateway, 'POST /providers', {
    body: { name: slug, slug, provider: 'openai', credential: { api_key: `sk-of-${slug}` }, settings },
  });
};

/** A gateway with a store, two saved providers with upstreams behind them, and a key. */
export const mirroredGateway = async (files: object = {}): Promise<MirroredGateway> => {
  const [primary, mirror] = await Promise.all([started(answering(said, 'priced')), started(answering(alike, 'cheap'))]);
  const gateway = await serveStore('gateway.db', { files: { 'gateway.json': { ...gatewayFile, ...files } } });
  await save(gateway, 'main', primary);
  await save(gateway, 'other', mirror);
  return { gateway, key: await makeKey(gateway, 'app'), primary, mirror };
};

/** The mirror of these tests: every request is copied, and compared. */
export const toOther = (more: object = {}): object => ({
  target: { name: 'copy', provider: '@other', override_params: { model: 'cheap' } },
  percent: 100,
  checks: [{ similar: { threshold: 0.6 } }],
  ...more,
});

export const main = { name: 'main', provider: '@main', override_params: { model: 'priced' } };

/** Saves a config under this slug. */
export const saveConfig = (gateway: GatewayProcess, slug: string, config: object): Promise<unknown> =>
  control(gateway, 'POST /configs', { body: { name: slug, slug, config } });

interface Asked {
  readonly key: string;
  readonly config: string;
  readonly path?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const messages = [{ role: 'user', content: 'When was the bridge built?' }];

/** One request, whose answer is read to its end. */
export const ask = async (
  { baseUrl }: GatewayProcess,
  { key, config, path = '/chat/completions', body = {}, headers = {} }: Asked,
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> => {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-config': config, ...headers },
    body: JSON.stringify(path === '/chat/completions' ? { model: 'any', messages, ...body } : body),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

/** Resolves when an upstream has got so many requests. */
export const received = (upstream: TestUpstream, count: number): Promise<void> =>
  vi.waitFor(() => {
    if (upstream.requests.length < count) throw new Error(`It has got ${upstream.requests.length} of ${count}.`);
  }, patience);
