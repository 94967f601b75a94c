import { request as httpRequest } from 'node:http';
import { builtinProviders } from '../../../../plugins/providers/builtin-providers.ts';
import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../../support/servers/upstream-server.ts';
import { jobAnswer } from '../../../support/vendors/job-answers.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';
import { openSession, SessionRefusal, type SessionTarget } from '../../realtime/support/session-client.ts';
import { type DescribedRoute, routesIn } from '../../tenants/support/described-routes.ts';
import type { Operation } from './operations.ts';

type Lines = Readonly<Record<string, string>>;

/** The owner of the credential that a request is sent with, and how a caller names it. */
export interface Owner {
  readonly name: string;
  /** A key that may only send requests. */
  readonly key: string;
  readonly headers: Lines;
  /** The secret that only the owner's host may receive. */
  readonly secret: string;
  /** The model that names the owner's provider. */
  readonly model?: string;
}

export interface OriginsWorld extends AsyncDisposable {
  readonly gateway: GatewayProcess;
  /** The host that all owners have named. */
  readonly named: TestUpstream;
  /** A host that the gateway may reach, and that no owner has named. */
  readonly spy: TestUpstream;
  readonly owners: readonly Owner[];
  readonly routes: readonly DescribedRoute[];
  /** Sends a request and returns the status and text of its answer. */
  send(
    operation: Operation,
    owner: Owner,
    headers?: Lines,
  ): Promise<{ readonly status: number; readonly text: string }>;
}

const openai = (secret: string, origin: string) => ({
  provider: 'openai',
  api_key: secret,
  custom_host: `${origin}/v1`,
});

/** Returns the credential fields of a config, each with the one that a provider receives. */
const literals = ({ id }: Provider): readonly (readonly [fields: object, secret: string])[] => {
  const key = `sk-sealed-for-${id}-1234567890`;
  const aws = {
    cloudc_access_key_id: 'AKIASEALED1234567890',
    cloudc_secret_access_key: 'sealed',
    cloudc_region: 'us-east-1',
  };
  // Its API key is sent only to the vendor's own address, which exchanges it for a token. A config cannot have the token.
  if (id === 'watsonx') return [];
  return [[{ api_key: key }, key], ...(id === 'bedrock' ? [[aws, aws.cloudc_access_key_id] as const] : [])];
};

const settingsByProvider: Readonly<Record<string, object>> = {
  'azure-openai': { resource_name: 'mine' },
  'vertex-ai': { cloudb_project_id: 'project', cloudb_region: 'us-central1' },
};

/** Requests a WebSocket. undici cannot send such a request. */
const upgrade = (url: string, headers: Lines): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const asked = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGVzdA==',
    };
    const sent = httpRequest(url, { headers: { ...headers, ...asked } }, (answer) => {
      let text = '';
      answer.on('data', (part) => {
        text += String(part);
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });

const isEnd = (type: string): boolean => /^(?:error|response\.(?:completed|incomplete|failed))$/.test(type);

/** Asks for a response over a WebSocket. Resolves to the answer if none is opened, or else to the last event, with its status. */
const askOverSocket = async (
  target: SessionTarget,
  message: object,
): Promise<{ readonly status: number; readonly text: string }> => {
  try {
    const client = await openSession(target);
    client.send({ type: 'response.create', ...message });
    const last = await Promise.race([client.nextOf(isEnd), client.closed]);
    client.socket.terminate();
    const { status = 200 } = last as { readonly status?: number };
    return { status, text: JSON.stringify(last) };
  } catch (error) {
    if (!(error instanceof SessionRefusal)) throw error;
    return { status: error.status, text: error.body };
  }
};

/** Starts a gateway whose file has owners at `origin`. */
export const startWorldGateway = (
  origin: string,
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> =>
  startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        trusted_hosts: ['127.0.0.1'],
        providers: {
          'file-provider': {
            provider: 'openai',
            credential: { api_key: '${env:FILE_PROVIDER}' },
            settings: { custom_host: `${origin}/v1` },
          },
          'file-pool': {
            provider: 'openai',
            keys: [{ api_key: '${env:FILE_POOL}' }, { api_key: '${env:FILE_KEY}', weight: 0 }],
            settings: { custom_host: `${origin}/v1` },
          },
        },
        virtual_keys: {
          'file-key': {
            provider: 'openai',
            credential: { api_key: '${env:FILE_KEY}' },
            settings: { custom_host: `${origin}/v1` },
          },
        },
      },
      'configs/file-config.json': openai('${env:FILE_CONFIG}', origin),
      'configs/file-names.json': { provider: '@file-provider' },
    },
    args: ['--store', 'gateway.db'],
    env: {
      FILE_PROVIDER: 'sk-of-the-file-provider',
      FILE_POOL: 'sk-of-the-file-pool',
      FILE_KEY: 'sk-of-the-file-key',
      FILE_CONFIG: 'sk-of-the-file-config',
      ...env,
      GW_ADMIN_KEY: adminKey,
      GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    },
  });

/** Saves everything that can have a credential at an origin, and returns how callers use each, including those of the file. */
export const saveOwners = async (
  gateway: GatewayProcess,
  { origin }: Pick<TestUpstream, 'origin'>,
  providers: readonly Provider[],
): Promise<readonly Owner[]> => {
  const post = (path: string, body: object, workspace = 'default') =>
    control(gateway, `POST ${path}`, { body, workspace });
  const readKey = async (name: string, workspace: string, defaults: object = {}): Promise<string> => {
    // Only a key that manages integrations may change the account of a shared credential.
    const scopes = ['completions.write', 'prompts.read', 'integrations.update'];
    const body = { name, scopes, workspace_id: workspace, defaults };
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', { body });
    return key;
  };
  const saveConfig = async (slug: string, config: object, workspace?: string): Promise<string> =>
    (await post('/configs', { name: slug, slug, config }, workspace)).data?.slug ?? slug;
  const key = await readKey('caller', 'default');
  const record = (secret: string) => ({
    provider: 'openai',
    credential: { api_key: secret },
    settings: { custom_host: `${origin}/v1` },
  });
  const owners: Owner[] = [];
  const add = (name: string, secret: string, headers: Lines, more: Partial<Owner> = {}): void => {
    owners.push({ name, key, headers, secret, ...more });
  };

  add('a config of a file', 'sk-of-the-file-config', { 'x-gw-config': 'file-config' });
  add('a config of a file that names a provider', 'sk-of-the-file-provider', { 'x-gw-config': 'file-names' });
  add('a provider of the file', 'sk-of-the-file-provider', { 'x-gw-provider': '@file-provider' });
  add('a pool of keys of the file', 'sk-of-the-file-pool', { 'x-gw-provider': '@file-pool' });
  add('a virtual key of the file', 'sk-of-the-file-key', { 'x-gw-virtual-key': 'file-key' });

  await post('/providers', { name: 'stored', slug: 'stored', ...record('sk-of-the-stored-provider') });
  await post('/virtual-keys', { name: 'stored-key', slug: 'stored-key', ...record('sk-of-the-stored-key') });
  const keys = [{ api_key: 'sk-of-the-stored-pool' }, { api_key: 'sk-that-is-not-used', weight: 0 }];
  const { credential: _credential, ...called } = record('');
  await post('/providers', { name: 'stored-pool', slug: 'stored-pool', ...called, keys });
  await post('/integrations', { name: 'shared', slug: 'shared', ...record('sk-of-the-integration') });
  await post('/providers', { name: 'of-integration', slug: 'of-integration', integration_id: 'shared' });
  const inConfig = (config: object): Lines => ({ 'x-gw-config': JSON.stringify(config) });
  for (const [name, secret, header, value, member] of [
    ['a provider', 'sk-of-the-stored-provider', 'x-gw-provider', '@stored', { provider: '@stored' }],
    ['a pool of keys', 'sk-of-the-stored-pool', 'x-gw-provider', '@stored-pool', { provider: '@stored-pool' }],
    ['a virtual key', 'sk-of-the-stored-key', 'x-gw-virtual-key', 'stored-key', { virtual_key: 'stored-key' }],
    ['an integration', 'sk-of-the-integration', 'x-gw-provider', '@of-integration', { provider: '@of-integration' }],
  ] as const) {
    add(name, secret, { [header]: value });
    add(`${name}, named by a caller's config`, secret, inConfig(member));
    add(
      `${name}, in a group of a caller's config`,
      secret,
      inConfig({ strategy: { mode: 'fallback' }, targets: [member] }),
    );
    const config = await saveConfig(`names-${name.replaceAll(/\W+/g, '-')}`, member);
    add(`${name}, named by a saved config`, secret, { 'x-gw-config': config });
    const open = await saveConfig(`open-${name.replaceAll(/\W+/g, '-')}`, { retry: { attempts: 1 } });
    add(`${name}, beside a saved config without a provider`, secret, { 'x-gw-config': open, [header]: value });
  }
  add('a provider, named by the model', 'sk-of-the-stored-provider', inConfig({ retry: { attempts: 1 } }), {
    model: '@stored/m-1',
  });

  for (const provider of providers.filter(({ credential }) => credential !== 'none'))
    for (const [at, [fields, secret]] of literals(provider).entries()) {
      const slug = `literal-${provider.id.replace('.', '-')}-${at}`;
      const config = {
        provider: provider.id,
        ...settingsByProvider[provider.id],
        ...fields,
        custom_host: `${origin}/v1`,
      };
      await saveConfig(slug, config);
      add(`a saved config with its own credential of ${provider.id} (${at})`, secret, { 'x-gw-config': slug });
    }
  const grouped = 'sk-sealed-in-a-group-1234567890';
  const group = {
    strategy: { mode: 'fallback' },
    custom_host: `${origin}/v1`,
    targets: [{ provider: 'openai', api_key: grouped }],
  };
  await saveConfig('grouped', group);
  add('a saved config with a credential in a group', grouped, { 'x-gw-config': 'grouped' });

  const string = JSON.stringify([{ role: 'user', content: 'Greet.' }]);
  await post('/prompts', {
    name: 'greeting',
    slug: 'greeting',
    string,
    parameters: {},
    virtual_key: '@stored',
    model: 'm-1',
  });
  add('a stored prompt in a config', 'sk-of-the-stored-provider', inConfig({ prompt_id: 'greeting' }));

  const byDefault = 'sk-sealed-in-a-default-1234567890';
  const readDefault = async (slug: string, workspace?: string): Promise<string> =>
    saveConfig(slug, openai(`${byDefault}-${slug}`, origin), workspace);
  await readDefault('of-a-key');
  const defaults = { config_id: 'of-a-key' };
  for (const [name, own] of [
    ['the default config of a key', defaults],
    ['the only config of a key', { ...defaults, allow_config_override: false }],
  ] as const)
    add(name, `${byDefault}-of-a-key`, {}, { key: await readKey(name, 'default', own) });
  await control(gateway, 'POST /workspaces', { body: { name: 'other', slug: 'other' } });
  await readDefault('of-a-workspace', 'other');
  await control(gateway, 'PUT /workspaces/other', { body: { settings: { config: 'of-a-workspace' } } });
  add('the default config of a workspace', `${byDefault}-of-a-workspace`, {}, { key: await readKey('w', 'other') });
  await control(gateway, 'POST /workspaces', { body: { name: 'third', slug: 'third' } });
  await control(gateway, 'PUT /organisation', { body: { settings: { config: 'file-config' } } });
  add('the default config of an organisation', 'sk-of-the-file-config', {}, { key: await readKey('o', 'third') });
  return owners;
};

/** Fills templates, which occur only in JSON texts. */
const filledJson = (value: object, fill: (text: string) => string): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? fill(member) : member));

/** Answers chats, and creates files, batches and jobs, each with its own id. */
const vendorAnswers = (): UpstreamHandler => {
  let files = 0;
  return ({ request: { method, path }, json }) => {
    if (method === 'POST' && path.endsWith('/files')) {
      files += 1;
      return json({
        id: `file-${files}`,
        object: 'file',
        purpose: 'batch',
        bytes: 8,
        filename: 'lines.jsonl',
        created_at: 1,
      });
    }
    const job = jobAnswer(method, path);
    // The gateway polls whatever is running.
    return json(job === undefined ? openaiAnswer({ text: 'Hello!' }) : { ...job, status: 'cancelled' });
  };
};

export interface OriginsStart {
  /** The providers for which a saved config has its own credential. All by default. */
  readonly providers?: readonly Provider[];
}

export const startOrigins = async ({ providers = builtinProviders }: OriginsStart = {}): Promise<OriginsWorld> => {
  const named = await startUpstream(vendorAnswers());
  const spy = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  const gateway = await startWorldGateway(named.origin);
  const owners = await saveOwners(gateway, named, providers);
  /** The last thing of each kind that an owner has created. */
  const made = new Map<string, string>();
  const described = await fetch(`${gateway.baseUrl}/openapi.json`, { headers: { 'x-gw-api-key': adminKey } });
  return {
    gateway,
    named,
    spy,
    owners,
    routes: routesIn(await described.text()),
    async send({ request, body, isUpgrade }, { name, key, headers: own, model }, headers = {}) {
      const fill = (text: string): string =>
        text.replaceAll(
          /\{(\w+)\}/g,
          (whole, kind: string) => made.get(`${name} ${kind}`) ?? `no-${kind}-${whole.length}`,
        );
      const [method = 'GET', path = ''] = fill(request).split(' ');
      const all = { 'x-gw-api-key': key, ...own, ...headers };
      const isForm = body instanceof FormData;
      const sent = isForm || body === undefined || model === undefined ? body : { ...body, model };
      if (isUpgrade === true)
        return sent === undefined
          ? upgrade(gateway.origin + path, all)
          : askOverSocket({ origin: gateway.origin, path, headers: all }, sent);
      const answer = await fetch(gateway.origin + path, {
        method,
        headers: { ...all, ...(isForm || sent === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(sent === undefined ? {} : { body: isForm ? body : filledJson(sent, fill) }),
      });
      const text = await answer.text();
      const kind = /^POST \/v1\/(?:\w+\/)?(files|batches|jobs|responses)$/.exec(request)?.[1];
      const id = kind !== undefined && answer.ok ? /"id":"([^"]+)"/.exec(text)?.[1] : undefined;
      if (id !== undefined) made.set(`${name} ${kind}`, id);
      return { status: answer.status, text };
    },
    async [Symbol.asyncDispose]() {
      await gateway.stop();
      await Promise.all([named.close(), spy.close()]);
    },
  };
};
