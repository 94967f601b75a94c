import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchAdapters } from '../../../plugins/control/work/batches/providers/adapters.ts';
import { control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import { bedrockKeys } from '../../support/vendors/storage/aws-keys.ts';
import { caller, forUs, toForm } from '../files/support.ts';
import { toLine } from './support/batch-client.ts';

const good = 'good-model';
const bad = 'bad-model';
const chats = '/v1/chat/completions';

/** The members with which each provider that runs batches is saved. */
const accounts: Readonly<Record<string, object>> = {
  openai: {},
  'azure-openai': { settings: { resource_name: 'ours' } },
  anthropic: {},
  bedrock: {
    settings: { cloudc_s3_bucket: 'b', cloudc_job_role_arn: 'arn:aws:iam::1:role/jobs' },
    credential: bedrockKeys,
  },
  cohere: {},
  'mistral-ai': {},
  'vertex-ai': {
    settings: { cloudb_region: 'europe-west4', cloudb_project_id: 'p', cloudb_storage_bucket_name: 'b' },
  },
};

const other = toLine('other', { model: good });

const line = (body: string, rest = ''): string =>
  `${other}{"custom_id":"1","method":"POST","url":"${chats}","body":${body}${rest}}\n${toLine('last', { model: good })}`;

/** Lines in which some reader could find the model that is not allowed. */
const spellings: readonly (readonly [string, string])[] = [
  ['as it is', line(`{"model":"${bad}","messages":[]}`)],
  ['escaped', line('{"model":"bad\\u002dmodel","messages":[]}')],
  ['under an escaped key', line(`{"\\u006dodel":"${bad}","messages":[]}`)],
  ['before another', line(`{"model":"${bad}","model":"${good}","messages":[]}`)],
  ['behind another', line(`{"model":"${good}","model":"${bad}","messages":[]}`)],
  ['in another case', line(`{"model":"${good}","Model":"${bad}","messages":[]}`)],
  ['within a tool', line(`{"model":"${good}","messages":[],"tools":[{"type":"t","model":"${bad}"}]}`)],
  ['in a list to fall back on', line(`{"model":"${good}","models":["${bad}"],"messages":[]}`)],
  ['beside the body', line(`{"model":"${good}","messages":[]}`, `,"model":"${bad}"`)],
  ['in a second body', line(`{"model":"${good}","messages":[]}`, `,"body":{"model":"${bad}"}`)],
  ['in a body of another case', line(`{"model":"${good}","messages":[]}`, `,"Body":{"model":"${bad}"}`)],
  ['in its URL', `${other}{"custom_id":"1","method":"POST","url":"/v1/deployments/${bad}/chat","body":{}}\n`],
  ['as no text', line(`{"model":["${bad}"],"messages":[]}`)],
  ['nowhere', line('{"messages":[]}')],
  ['in UTF-16', Buffer.from(line(`{"model":"${bad}"}`), 'utf16le').toString('latin1')],
];

const readId = (thing: unknown): string =>
  typeof thing === 'object' && thing !== null && 'id' in thing ? String(thing.id) : '';

describe('lines of batches that providers run', () => {
  let world: AccountsWorld;
  let upstream: TestUpstream;
  let input = '';
  const call = (request: string, init: Parameters<ReturnType<typeof caller>>[1]) =>
    caller(world.gateway)(request, init);

  beforeAll(async () => {
    upstream = await startUpstream(({ request, ...answer }) => {
      if (request.method === 'GET') return answer.answer({ body: input });
      if (request.path.endsWith('/files')) return answer.json({ id: 'file-copy', object: 'file' });
      return answer.json({
        id: `batch_${upstream.requests.length}`,
        object: 'batch',
        status: 'validating',
        endpoint: chats,
      });
    });
    world = await accountsWorld();
    for (const [provider, account] of Object.entries(accounts))
      for (const [kind, models] of [
        ['only', { models: [{ slug: good, enabled: true }], allow_all_models: false }],
        ['except', { models: [{ slug: bad, enabled: false }], allow_all_models: true }],
      ] as const) {
        const slug = `${provider}-${kind}`;
        const { settings = {}, ...rest }: { settings?: object } = { ...account };
        const placed = { ...settings, custom_host: `${upstream.origin}/v1` };
        await control(world.gateway, 'POST /integrations', {
          body: {
            name: slug,
            slug,
            provider,
            ...('credential' in rest ? {} : { key: 'sk' }),
            ...rest,
            settings: placed,
            ...models,
          },
        });
        await control(world.gateway, 'POST /providers', { body: { name: slug, slug, integration_id: slug } });
      }
  });
  afterAll(async () => {
    await world.gateway.stop();
    await upstream.close();
  });

  /** The number of requests sent. Jobs also poll batches that were created. */
  const writes = (): number => upstream.requests.filter(({ method }) => method !== 'GET').length;
  const upload = async (text: string): Promise<string> => {
    const form = toForm([
      ['purpose', 'batch'],
      ['file', Buffer.from(text, 'latin1')],
    ]);
    const answer = await call('POST /v1/files', { headers: forUs, body: form });
    return readId(await answer.json());
  };
  const create = async (slug: string, file: string) => {
    const before = writes();
    const answer = await call('POST /v1/batches', {
      headers: { 'x-gw-virtual-key': `@${slug}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input_file_id: file, endpoint: chats, completion_window: '24h' }),
    });
    return { status: answer.status, text: await answer.text(), sent: writes() - before };
  };

  it('are tested at every provider that runs batches', () => {
    const text = readFileSync(
      path.join(import.meta.dirname, '../../../plugins/control/work/batches/executors.ts'),
      'utf8',
    );
    const native = /const native: .* = new Set\(\[(.*)\]\)/.exec(text)?.[1]?.match(/[a-z-]+/g) ?? [];
    expect(Object.keys(accounts).sort()).toEqual([...native, ...batchAdapters.keys()].sort());
  });

  it.each(Object.keys(accounts))('are each checked against a list of %s, in all spellings', async (provider) => {
    for (const [how, text] of spellings) {
      const file = await upload(text);
      const refused = await create(`${provider}-only`, file);
      expect({ how, ...refused }).toMatchObject({ status: 400, sent: 0 });
      expect(refused.text).toMatch(/Line \d+ of the input file is not valid|line/);
    }
    const file = await upload(line(`{"model":"maker/${bad.toUpperCase()}","messages":[]}`));
    expect(await create(`${provider}-except`, file)).toMatchObject({ status: 400, sent: 0 });
  });

  it.each(['openai-only', 'openai-except'])('are sent if %s allows their models', async (slug) => {
    expect(await create(slug, await upload(other))).toMatchObject({ status: 200, sent: 2 });
  });

  it('are also checked in a file that is already at the provider', async () => {
    await world.noteFile('openai-only', 'file-there');
    input = line(`{"model":"${bad}","messages":[]}`);
    expect(await create('openai-only', 'file-there')).toMatchObject({ status: 400, sent: 0 });
    input = other;
    expect(await create('openai-only', 'file-there')).toMatchObject({ status: 200, sent: 1 });
  });

  it('cannot be named as a file in a request that is passed through', async () => {
    const before = writes();
    const answer = await call('POST /v1/openai/batches', {
      headers: { 'x-gw-provider': '@openai-only', 'content-type': 'application/json' },
      body: JSON.stringify({ model: good, input_file_id: 'file-there', endpoint: chats }),
    });
    expect([answer.status, writes() - before]).toEqual([400, 0]);
  });

  it('are checked as requests if the gateway runs them', async () => {
    const before = writes();
    const file = await upload(`${toLine('bad', { model: bad })}${toLine('twice', { model: good, Model: bad })}`);
    const headers = { 'x-gw-virtual-key': '@openai-only', 'content-type': 'application/json' };
    const body = JSON.stringify({ input_file_id: file, endpoint: chats, completion_window: 'immediate' });
    const id = readId(await (await call('POST /v1/batches', { headers, body })).json());
    const batch = async () =>
      (await call(`GET /v1/batches/${id}`, { headers: { 'x-gw-virtual-key': '@openai-only' } })).json();
    await expect.poll(batch, { interval: 50 }).toMatchObject({
      request_counts: { total: 2, completed: 0, failed: 2 },
    });
    expect(writes()).toBe(before);
  });
});
