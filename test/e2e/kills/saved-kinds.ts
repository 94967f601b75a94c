import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { type ControlReply, callControl, chat } from '../../support/gateways/stored-gateway.ts';
import type { TestUpstream } from '../../support/servers/upstream-server.ts';

/** A kind of record that is saved under a name with a text. The text is read back in the way that requests use it. */
export interface SavedKind {
  readonly name: string;
  create(gateway: GatewayProcess, slug: string, text: string): Promise<ControlReply>;
  update(gateway: GatewayProcess, slug: string, text: string): Promise<ControlReply>;
  remove(gateway: GatewayProcess, slug: string): Promise<ControlReply>;
  /** Returns the text, or undefined if there is no record with the name. */
  read(gateway: GatewayProcess, slug: string): Promise<string | undefined>;
}

/** The JSON of an answer, or undefined for a 404. */
const readJson = async (gateway: GatewayProcess, route: string): Promise<unknown> => {
  const { status, text } = await callControl(gateway, `GET ${route}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`GET ${route}: ${status} ${text}`);
  return JSON.parse(text);
};

const configs: SavedKind = {
  name: 'config',
  create: (gateway, slug, text) =>
    callControl(gateway, 'POST /configs', { body: { name: slug, slug, config: echoing(text) } }),
  update: (gateway, slug, text) => callControl(gateway, `PUT /configs/${slug}`, { body: { config: echoing(text) } }),
  remove: (gateway, slug) => callControl(gateway, `DELETE /configs/${slug}`),
  async read(gateway, slug) {
    const config = (await readJson(gateway, `/configs/${slug}`)) as { config: ReturnType<typeof echoing> } | undefined;
    return config?.config.override_params.model;
  },
};

const echoing = (model: string) => ({ provider: 'echo', override_params: { model } });

const prompts: SavedKind = {
  name: 'prompt',
  create: (gateway, slug, string) =>
    callControl(gateway, 'POST /prompts', { body: { name: slug, slug, string, parameters: {}, virtual_key: '@base' } }),
  update: (gateway, slug, string) => callControl(gateway, `PUT /prompts/${slug}`, { body: { string, patch: true } }),
  remove: (gateway, slug) => callControl(gateway, `DELETE /prompts/${slug}`),
  async read(gateway, slug) {
    const prompt = (await readJson(gateway, `/prompts/${slug}@latest`)) as { string: string } | undefined;
    return prompt?.string;
  },
};

/** Providers. The text is the credential, as the upstream receives it. */
const providers = (upstream: TestUpstream, key: () => string): SavedKind => ({
  name: 'provider',
  create: (gateway, slug, api_key) =>
    callControl(gateway, 'POST /providers', {
      body: {
        ...{ name: slug, slug, provider: 'openai', credential: { api_key } },
        settings: { custom_host: `${upstream.origin}/v1` },
      },
    }),
  update: (gateway, slug, api_key) =>
    callControl(gateway, `PUT /providers/${slug}`, { body: { credential: { api_key } } }),
  remove: (gateway, slug) => callControl(gateway, `DELETE /providers/${slug}`),
  async read(gateway, slug) {
    if ((await readJson(gateway, `/providers/${slug}`)) === undefined) return undefined;
    const config = JSON.stringify({ provider: `@${slug}`, override_params: { model: slug } });
    const answer = await chat(gateway, { key: key(), config });
    if (answer.status !== 200) throw new Error(`chat by @${slug}: ${answer.status} ${await answer.text()}`);
    await answer.text();
    const sent = upstream.requests.findLast(({ body }) => JSON.parse(body.toString()).model === slug);
    return sent?.header('authorization')?.replace('Bearer ', '');
  },
});

/** Keys. The gateway creates the text, so that a key whose creation was not acknowledged cannot be read. */
const keys = (): SavedKind => {
  const made = new Map<string, { readonly id: string; readonly key: string }>();
  return {
    name: 'key',
    async create(gateway, slug) {
      const body = { name: slug, scopes: ['completions.write'], workspace_id: 'default' };
      const reply = await callControl(gateway, 'POST /api-keys/workspace/service', { body });
      const { id = '', key = '' } = reply.body;
      if (reply.status === 200) made.set(slug, { id, key });
      return reply;
    },
    async update(gateway, slug) {
      const body = { name: slug };
      return callControl(gateway, `PUT /api-keys/${made.get(slug)?.id}`, { body });
    },
    remove: (gateway, slug) => callControl(gateway, `DELETE /api-keys/${made.get(slug)?.id}`),
    async read(gateway, slug) {
      const key = made.get(slug)?.key;
      if (key === undefined) return undefined;
      const answer = await chat(gateway, { key });
      await answer.text();
      if (answer.status === 401) return undefined;
      if (answer.status !== 200) throw new Error(`chat by the key ${slug}: ${answer.status}`);
      return slug;
    },
  };
};

/** All kinds. `key` is an existing service key. */
export const savedKinds = (upstream: TestUpstream, key: () => string): readonly SavedKind[] => [
  configs,
  prompts,
  providers(upstream, key),
  keys(),
];
