import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../commands/temporary-folder.ts';
import { sharedByTests } from '../run/shared-by-tests.ts';
import { startUpstream, type TestUpstream } from '../servers/upstream-server.ts';
import { openaiAnswer } from '../vendors/openai-wire.ts';
import { type GatewayProcess, type GatewayStart, startGateway } from './gateway-process.ts';

export const adminKey = 'the-admin-key-of-this-test-with-40-chars';
const masterKey: string = Buffer.alloc(32, 1).toString('base64');

const startStored = (store: string, options: GatewayStart): Promise<GatewayProcess> =>
  startGateway({
    ...options,
    args: ['--store', store, ...(options.args ?? [])],
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: masterKey, ...options.env },
  });

/** Starts a gateway with a store, by default `gateway.db` in its folder. It is stopped at the end of the test. */
export const serveStore = async (store = 'gateway.db', options: GatewayStart = {}): Promise<GatewayProcess> => {
  const gateway = await startStored(store, { folder: temporaryFolder(), ...options });
  onTestFinished(() => gateway.stop());
  return gateway;
};

/** Starts a gateway with a store that the tests of a file share. Each of them must use only what it has created. */
export const sharedStore = (
  toOptions: () => GatewayStart | Promise<GatewayStart> = () => ({}),
): (() => GatewayProcess) =>
  sharedByTests('gateway', async (whenFinished) => {
    const gateway = await startStored('gateway.db', await toOptions());
    whenFinished(() => gateway.stop());
    return gateway;
  });

/** Starts an upstream that answers in OpenAI's format. It is stopped at the end of the test. */
export const chatUpstream = async (): Promise<TestUpstream> => {
  const upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  onTestFinished(() => upstream.close());
  return upstream;
};

export interface ControlReply {
  readonly status: number;
  readonly text: string;
  /** The parsed members of the answer. */
  readonly body: {
    readonly id?: string;
    readonly slug?: string;
    readonly key?: string;
    readonly data?: { readonly id?: string; readonly slug?: string };
    readonly summary?: { readonly input_tokens: number; readonly output_tokens: number };
  };
}

export interface ControlCall {
  readonly body?: object;
  readonly key?: string;
  /** The slug of a workspace, for a key of the organisation. */
  readonly workspace?: string;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Calls the control plane once, such as `POST /configs`. */
export const callControl = async (
  { baseUrl }: Pick<GatewayProcess, 'baseUrl'>,
  request: string,
  { body, key = adminKey, workspace, idempotencyKey, signal }: ControlCall = {},
): Promise<ControlReply> => {
  const [method = 'GET', route = '/'] = request.split(' ');
  const answer = await fetch(`${baseUrl}${route}`, {
    method,
    headers: {
      'x-gw-api-key': key,
      ...(workspace === undefined ? {} : { 'x-gw-workspace': workspace }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} };
};

/** Does the same, but throws for any answer other than 200. */
export const control = async (...call: Parameters<typeof callControl>): Promise<ControlReply['body']> => {
  const { status, text, body } = await callControl(...call);
  if (status !== 200) throw new Error(`${call[1]}: ${status} ${text}`);
  return body;
};

export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** Creates a key that may send model requests and run prompts. */
export const makeKey = async (gateway: Pick<GatewayProcess, 'baseUrl'>, name: string): Promise<NewKey> => {
  const { id = '', key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name, scopes: ['completions.write', 'prompts.read'], workspace_id: 'default' },
  });
  return { id, key };
};

/** Saves a provider with a credential, and a config for it. Returns the slug of the config. */
export const saveChat = async (
  gateway: Pick<GatewayProcess, 'baseUrl'>,
  {
    upstream,
    slug,
    credential,
  }: { readonly upstream: TestUpstream; readonly slug: string; readonly credential: string },
): Promise<string> => {
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(gateway, 'POST /providers', {
    body: { name: slug, slug, provider: 'openai', credential: { api_key: credential }, settings },
  });
  const { data } = await control(gateway, 'POST /configs', {
    body: {
      name: slug,
      slug,
      config: { provider: `@${slug}`, override_params: { model: 'm' }, retry: { attempts: 0 } },
    },
  });
  return data?.slug ?? slug;
};

/** Sends one chat request with a saved config, or with the provider `echo`. */
export const chat = (
  { baseUrl }: Pick<GatewayProcess, 'baseUrl'>,
  { key, config }: { readonly key: string; readonly config?: string },
): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-api-key': key,
      ...(config === undefined ? { 'x-gw-provider': 'echo' } : { 'x-gw-config': config }),
    },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello?' }] }),
  });
