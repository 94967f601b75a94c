import { randomUUID } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import type { GatewayProcess } from '../../../support/gateway-process.ts';
import { patience } from '../../../support/patience.ts';
import { control, sharedStore } from '../../../support/stored-gateway.ts';
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

export interface MirroredWorkspace {
  readonly gateway: GatewayProcess;
  readonly workspace: string;
  readonly key: string;
  readonly primary: TestUpstream;
  readonly mirror: TestUpstream;
  /** A call of the control plane in the workspace, as `POST /configs`. */
  control(request: string, body?: object): ReturnType<typeof control>;
  /** Saves a config under this slug. */
  saveConfig(slug: string, config: object): Promise<unknown>;
}

/** A dollar for a million tokens of the models called `priced`, and a tenth of that for `cheap`. */
const gatewayFile = {
  ...{ metrics: true, trusted_hosts: ['127.0.0.1'] },
  prices: { openai: { priced: { input: 1, output: 1 }, cheap: { input: 0.1, output: 0.1 } } },
};

const started = async (answer: (call: UpstreamCall) => void): Promise<TestUpstream> => {
  const upstream = await startUpstream(answer);
  onTestFinished(() => upstream.close());
  return upstream;
};

/** A gateway with a store that tests share, of which each has a workspace of its own. */
export const sharedMirrored = (toMore: () => object = () => ({})): (() => GatewayProcess) =>
  sharedStore(() => ({ files: { 'gateway.json': { ...gatewayFile, ...toMore() } } }));

/** A new workspace with two saved providers, upstreams behind them, and a key. The upstreams end with the test. */
export const mirroredWorkspace = async (
  gateway: GatewayProcess,
  workspace: string = randomUUID(),
): Promise<MirroredWorkspace> => {
  const [primary, mirror] = await Promise.all([started(answering(said, 'priced')), started(answering(alike, 'cheap'))]);
  await control(gateway, 'POST /workspaces', { body: { name: workspace, slug: workspace } });
  const inside: MirroredWorkspace['control'] = (request, body) =>
    control(gateway, request, { workspace, ...(body === undefined ? {} : { body }) });
  for (const [slug, upstream] of Object.entries({ main: primary, other: mirror }))
    await inside('POST /providers', {
      ...{ name: slug, slug, provider: 'openai', credential: { api_key: `sk-of-${slug}` } },
      settings: { custom_host: `${upstream.origin}/v1` },
    });
  const { key = '' } = await inside('POST /api-keys/workspace/service', {
    ...{ name: 'app', scopes: ['completions.write', 'prompts.read'], workspace_id: workspace },
  });
  return {
    ...{ gateway, workspace, key, primary, mirror, control: inside },
    saveConfig: (slug, config) => inside('POST /configs', { name: slug, slug, config }),
  };
};

/** The mirror of these tests: every request is copied, and compared. */
export const toOther = (more: object = {}): object => ({
  target: { name: 'copy', provider: '@other', override_params: { model: 'cheap' } },
  percent: 100,
  checks: [{ similar: { threshold: 0.6 } }],
  ...more,
});

export const main = { name: 'main', provider: '@main', override_params: { model: 'priced' } };

interface Asked {
  readonly config?: string;
  readonly path?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const messages = [{ role: 'user', content: 'When was the bridge built?' }];

/** One request by the config `app`, or another one, whose answer is read to its end. */
export const ask = async (
  { gateway, key }: Pick<MirroredWorkspace, 'gateway' | 'key'>,
  { config = 'app', path = '/chat/completions', body = {}, headers = {} }: Asked = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> => {
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
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
