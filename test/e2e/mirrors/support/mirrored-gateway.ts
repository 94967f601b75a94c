import { randomUUID } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import type { GatewayProcess } from '../../../support/gateways/gateway-process.ts';
import { control, sharedStore } from '../../../support/gateways/stored-gateway.ts';
import { patience } from '../../../support/run/patience.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../../support/vendors/openai-wire.ts';

export const said = 'The bridge was built of stone in the year 1604.';
const alike = 'The bridge was built of stone, in the year 1604, by two brothers.';

/** Answers whole or as a stream, as the request specifies. */
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
  /** Calls the control plane in the workspace, as in `POST /configs`. */
  control(request: string, body?: object): ReturnType<typeof control>;
  /** Saves a config under this slug. */
  saveConfig(slug: string, config: object): Promise<unknown>;
}

/** One dollar per million tokens for models called `priced`, and a tenth of that for `cheap`. */
const gatewayFile = {
  ...{ metrics: true, trusted_hosts: ['127.0.0.1'] },
  prices: { openai: { priced: { input: 1, output: 1 }, cheap: { input: 0.1, output: 0.1 } } },
};

const started = async (answer: (call: UpstreamCall) => void): Promise<TestUpstream> => {
  const upstream = await startUpstream(answer);
  onTestFinished(() => upstream.close());
  return upstream;
};

/** Starts a gateway with a store that tests share. Each test has its own workspace. */
export const sharedMirrored = (toMore: () => object = () => ({})): (() => GatewayProcess) =>
  sharedStore(() => ({ files: { 'gateway.json': { ...gatewayFile, ...toMore() } } }));

/** Creates a workspace with two saved providers, their upstreams, and a key. The upstreams end with the test. */
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

/** The mirror of these tests: it copies every request and compares the answers. */
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

/** Sends one request by the config `app`, or another one, and reads its whole answer. */
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

/** Resolves when an upstream has received this many requests. */
export const received = (upstream: TestUpstream, count: number): Promise<void> =>
  vi.waitFor(() => {
    if (upstream.requests.length < count) throw new Error(`It has got ${upstream.requests.length} of ${count}.`);
  }, patience);
