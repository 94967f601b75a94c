import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { GatewayProcess, GatewayStart } from '../../../support/gateways/gateway-process.ts';
import { control, makeKey, type NewKey, serveStore, sharedStore } from '../../../support/gateways/stored-gateway.ts';
import { enoughOfDay } from '../../../support/run/enough-of-day.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../../support/servers/upstream-server.ts';

/** One dollar per million tokens for models called `priced`: 1000 billionths of a dollar per token. */
export const gatewayFile: object = { prices: { openai: { priced: { input: 1, output: 1 } } } };

/** The behaviour that a request asks of the upstream, as the text of its message. */
export interface Script {
  readonly input?: number;
  readonly output?: number;
  readonly status?: number;
  /** Streams this many pieces before it ends, or never ends. */
  readonly pieces?: number;
  readonly end?: 'done' | 'cut' | 'never';
  readonly withUsage?: boolean;
  /** Milliseconds to wait before it answers. */
  readonly waitMs?: number;
}

const readScript = ({ request }: UpstreamCall): Script & { readonly stream: boolean } => {
  const { messages, stream = false } = JSON.parse(request.body.toString());
  const [{ content }] = messages;
  return { ...JSON.parse(content), stream };
};

const toUsage = ({ input = 0, output = 0 }: Script): object => ({
  ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
});

const head = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'answered' };

const answerWhole = (call: UpstreamCall, script: Script): void => {
  const { status = 200 } = script;
  if (status !== 200) {
    call.json({ error: { message: 'It failed.', type: 'x', code: null } }, { status });
    return;
  }
  const message = { role: 'assistant', content: 'Hello!' };
  call.json({
    ...{ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] },
    ...(script.withUsage === false ? {} : { usage: toUsage(script) }),
  });
};

const stream = async (call: UpstreamCall, script: Script): Promise<void> => {
  const { pieces = 3, end = 'done' } = script;
  const sse = call.sse();
  const chunk = (choices: readonly object[], more: object = {}): void =>
    sse.frame({ ...head, object: 'chat.completion.chunk', choices, ...more });
  chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
  for (let at = 0; at < pieces; at += 1) chunk([{ index: 0, delta: { content: 'word word ' }, finish_reason: null }]);
  if (end === 'never') return;
  if (end === 'cut') {
    sse.cut();
    return;
  }
  chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  if (script.withUsage !== false) chunk([], { usage: toUsage(script) });
  sse.done();
};

/** Starts an upstream that follows the scripts in the requests. */
export const startScriptedUpstream = (): Promise<TestUpstream> =>
  startUpstream(async (call) => {
    const script = readScript(call);
    if (script.waitMs !== undefined) await setTimeout(script.waitMs);
    if (script.stream && (script.status ?? 200) === 200) await stream(call, script);
    else answerWhole(call, script);
  });

/** Starts a scripted upstream that ends with the test. */
export const scriptedUpstream = async (): Promise<TestUpstream> => {
  const upstream = await startScriptedUpstream();
  onTestFinished(() => upstream.close());
  return upstream;
};

/** Saves a provider and a config that names it. */
export const saveTarget = async (
  gateway: Pick<GatewayProcess, 'baseUrl'>,
  { upstream, slug = 'main', more = {} }: { upstream: TestUpstream; slug?: string; more?: object },
): Promise<void> => {
  const settings = { custom_host: `${upstream.origin}/v1` };
  const body = { name: slug, slug, provider: 'openai', credential: { api_key: 'sk' }, settings, ...more };
  await control(gateway, 'POST /providers', { body });
};

export interface Limited {
  readonly gateway: GatewayProcess;
  readonly upstream: TestUpstream;
  readonly key: NewKey;
}

/** Starts a gateway with a store and the prices of these tests. */
export const serveLimited = (
  store?: string,
  options: GatewayStart & { readonly folder?: string } = {},
): Promise<GatewayProcess> =>
  serveStore(store, { ...options, files: { 'gateway.json': gatewayFile, ...options.files } });

/**
 * Saves the provider `@main` with this upstream, and creates a key. Waits for the next day if the current one is about to
 * end.
 */
const limited = async (gateway: GatewayProcess, upstream: TestUpstream, more: object = {}): Promise<Limited> => {
  await saveTarget(gateway, { upstream, more });
  const key = await makeKey(gateway, 'limited');
  await enoughOfDay();
  return { gateway, upstream, key };
};

/**
 * Starts a gateway with a store, a saved provider `@main` with its upstream, and a key. Waits for the next day if the current
 * one is about to end.
 */
export const limitedGateway = async (
  store?: string,
  options: GatewayStart & { readonly folder?: string } = {},
): Promise<Limited> => {
  const upstream = await scriptedUpstream();
  return limited(await serveLimited(store, options), upstream);
};

/** Deletes all policies and providers of the workspace `default`. */
const clear = async (gateway: GatewayProcess): Promise<void> => {
  for (const kind of ['policies/usage-limits', 'policies/rate-limits', 'providers']) {
    const { data } = (await control(gateway, `GET /${kind}`)) as { readonly data?: readonly { readonly id: string }[] };
    for (const { id } of data ?? []) await control(gateway, `DELETE /${kind}/${id}`);
  }
};

/**
 * Starts one limited gateway for all tests of a file. Each call of the returned function removes all policies and other
 * providers, and creates `@main` with an upstream and a key of its own. `more` is added to the provider.
 */
export const sharedLimited = (options: GatewayStart = {}): ((more?: object) => Promise<Limited>) => {
  const serving = sharedStore(() => ({ ...options, files: { 'gateway.json': gatewayFile, ...options.files } }));
  return async (more = {}) => {
    const [gateway, upstream] = [serving(), await scriptedUpstream()];
    await clear(gateway);
    return limited(gateway, upstream, more);
  };
};

interface PolicyBody {
  readonly conditions?: readonly object[];
  readonly group_by?: readonly object[];
  readonly [name: string]: unknown;
}

const everything = [{ key: 'workspace_id', value: '*' }];

/** Creates a policy of the workspace `default` and returns its id. By default it applies to all requests. */
export const makePolicy = async (
  gateway: Pick<GatewayProcess, 'baseUrl'>,
  kind: 'usage-limits' | 'rate-limits',
  body: PolicyBody,
): Promise<string> => {
  const { id = '' } = await control(gateway, `POST /policies/${kind}`, {
    body: { conditions: everything, group_by: [{ key: 'workspace_id' }], workspace_id: 'default', ...body },
  });
  return id;
};

/** Returns the counters of a usage policy by value key. */
export const readUsed = async (
  gateway: Pick<GatewayProcess, 'baseUrl'>,
  policy: string,
): Promise<Readonly<Record<string, number>>> => {
  const answer = (await control(gateway, `GET /policies/usage-limits/${policy}?include_usage=true`)) as {
    readonly value_key_usage_map?: Readonly<Record<string, { readonly current_usage: number }>>;
  };
  return Object.fromEntries(
    Object.entries(answer.value_key_usage_map ?? {}).map(([key, { current_usage }]) => [key, current_usage]),
  );
};

/** Returns the sum of the counters of a usage policy. */
export const toSum = async (gateway: Pick<GatewayProcess, 'baseUrl'>, policy: string): Promise<number> =>
  Object.values(await readUsed(gateway, policy)).reduce((sum, each) => sum + each, 0);

export interface AskOptions {
  readonly key: string;
  readonly model?: string;
  /** `@main` by default. */
  readonly provider?: string;
  readonly config?: string | object;
  readonly stream?: boolean;
  readonly maxTokens?: number;
  readonly metadata?: object;
  readonly signal?: AbortSignal;
}

/** Sends a chat that the upstream answers according to the script. */
export const ask = (
  { baseUrl }: Pick<GatewayProcess, 'baseUrl'>,
  script: Script,
  { key, model = 'priced', provider = '@main', config, stream: streams, maxTokens = 10, metadata, signal }: AskOptions,
): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-api-key': key,
      ...(config === undefined
        ? { 'x-gw-provider': provider }
        : { 'x-gw-config': typeof config === 'string' ? config : JSON.stringify(config) }),
      ...(metadata === undefined ? {} : { 'x-gw-metadata': JSON.stringify(metadata) }),
    },
    body: JSON.stringify({
      ...{ model, max_tokens: maxTokens, messages: [{ role: 'user', content: JSON.stringify(script) }] },
      ...(streams === true ? { stream: true } : {}),
    }),
    ...(signal === undefined ? {} : { signal }),
  });

export interface Asked {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly code?: string;
}

/** Sends a chat and reads its whole answer. */
export const asked = async (...call: Parameters<typeof ask>): Promise<Asked> => {
  const answer = await ask(...call);
  const text = await answer.text();
  const code = answer.status >= 400 && text.startsWith('{') ? JSON.parse(text).error?.code : undefined;
  return { status: answer.status, text, headers: answer.headers, ...(code === undefined ? {} : { code }) };
};
