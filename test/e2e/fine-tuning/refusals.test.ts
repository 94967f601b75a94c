import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import { startOpenaiTuning } from '../../support/vendors/tuning/openai-tuning.ts';
import type { TuningVendor } from '../../support/vendors/tuning/tuning-vendor.ts';

const method = { type: 'supervised' };
const job = { model: 'm', training_file: 'file-1', suffix: 's', method };
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
const wandb = { type: 'wandb', wandb: { project: 'p', tags: ['t'] } };

const invalid: readonly (readonly [string, object])[] = [
  ['/model', { ...job, model: undefined }],
  ['/model', { ...job, model: 7 }],
  ['/training_file', { ...job, training_file: undefined }],
  ['/training_file', { ...job, training_file: 'file-of-nobody' }],
  ['/training_file', { ...job, training_file: 'gw-file-of-nobody' }],
  ['/suffix', { ...job, suffix: undefined }],
  ['/suffix', { ...job, suffix: '' }],
  ['/suffix', { ...job, suffix: 's'.repeat(65) }],
  ['/method', { ...job, method: undefined }],
  ['/method/type', { ...job, method: {} }],
  ['/method/type', { ...job, method: { type: 'other' } }],
  ['/method/dpo', { ...job, method: { type: 'supervised', dpo: {} } }],
  ['/method/reinforcement', { ...job, method: { type: 'reinforcement' } }],
  ['/method/reinforcement/grader', { ...job, method: { type: 'reinforcement', reinforcement: {} } }],
  [
    '/method/supervised/hyperparameters/n_epochs',
    { ...job, method: { ...method, supervised: { hyperparameters: { n_epochs: 0 } } } },
  ],
  ['/validation_file', { ...job, validation_file: 'file-of-nobody' }],
  ['/seed', { ...job, seed: -1 }],
  ['/seed', { ...job, seed: 1.5 }],
  ['/integrations', { ...job, integrations: Array(6).fill(wandb) }],
  ['/integrations/0/wandb', { ...job, integrations: [{ type: 'wandb' }] }],
  ['/integrations/0/type', { ...job, integrations: [{ wandb: {} }] }],
  ['/metadata', { ...job, metadata: pairs(17) }],
  ['/metadata/k0', { ...job, metadata: { k0: 'v'.repeat(513) } }],
  [`/metadata/${'k'.repeat(65)}`, { ...job, metadata: { ['k'.repeat(65)]: 'v' } }],
  ['/gw_options', { ...job, gw_options: {} }],
  ['/hyperparameters/n_epochs', { ...job, hyperparameters: { n_epochs: 'many' } }],
];

describe('fine-tuning jobs', () => {
  let world: AccountsWorld;
  let vendor: TuningVendor;
  const ask = async (
    request: string,
    {
      body,
      headers = { 'x-gw-virtual-key': 'ours' },
      key = adminKey,
    }: { body?: object; headers?: object; key?: string } = {},
  ) => {
    const [verb = '', path = ''] = request.split(' ');
    const answer = await fetch(`${world.gateway.baseUrl}${path}`, {
      method: verb,
      headers: {
        'x-gw-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects in it
    return { status: answer.status, body: (await answer.json()) as any };
  };
  beforeAll(async () => {
    world = await accountsWorld();
    vendor = await startOpenaiTuning();
    const { origin } = vendor.upstream;
    await world.save({ slug: 'ours', provider: 'openai', origin, base: '/v1' });
    await world.save({ slug: 'elsewhere', provider: 'openai', origin, base: '/v1' });
    await world.save({ slug: 'chats', provider: 'groq', origin });
    await world.noteFile('ours', 'file-1');
  });
  afterAll(async () => {
    await world.gateway.stop();
    await vendor.upstream.close();
  });

  it.each(invalid)('are answered with 400 that names %s', async (pointer, body) => {
    const before = vendor.upstream.requests.length;
    const { status, body: refusal } = await ask('POST /fine_tuning/jobs', { body });
    const [{ pointer: place, message }] = refusal.error.errors;
    expect([status, place, message]).toEqual([
      400,
      expect.stringContaining(pointer.slice(0, place.length)),
      expect.any(String),
    ]);
    expect(`${place} ${message}`).toContain(pointer.split('/').at(-1));
    expect(vendor.upstream.requests).toHaveLength(before);
  });

  it.each([
    ['/limit', 'limit=0'],
    ['/limit', 'limit=x'],
    ['/after', 'after='],
    ['/after', 'after=ftjob-of-nobody'],
  ])('are answered with 400 that names %s of the query %s', async (pointer, query) => {
    const { status, body } = await ask(`GET /fine_tuning/jobs?${query}`);
    expect([status, body.error.errors[0].pointer, body.error.errors[0].in]).toEqual([400, pointer, 'query']);
  });

  it.each([
    ['x-gw-virtual-key', {}],
    ['x-gw-virtual-key', { 'x-gw-provider': '@ours' }],
    ['x-gw-virtual-key', { 'x-gw-virtual-key': 'nobody' }],
    ['x-gw-config', { 'x-gw-virtual-key': 'ours', 'x-gw-config': '{"provider":"@ours"}' }],
  ])('are answered with 400 that names the header %s', async (header, headers) => {
    for (const request of ['GET /fine_tuning/jobs', 'GET /fine_tuning/jobs/a', 'POST /fine_tuning/jobs/a/cancel']) {
      const { status, body } = await ask(request, { headers });
      expect([status, body.error.code]).toEqual([400, 'AB01']);
      expect(body.error.message).toContain(header);
    }
  });

  it('are answered with 501 at a provider without fine-tuning, with the providers that have it', async () => {
    const { status, body } = await ask('GET /fine_tuning/jobs', { headers: { 'x-gw-virtual-key': 'chats' } });
    expect([status, body.error.code]).toEqual([501, expect.any(String)]);
    expect(body.error.message).toMatch(/groq has no fine-tuning jobs\..*azure-openai.*openai/);
  });

  it('belong to the workspace and the account that created them, in an account that others use too', async () => {
    const { body: made } = await ask('POST /fine_tuning/jobs', { body: job });
    const { id: workspace } = await control(world.gateway, 'POST /workspaces', {
      body: { name: 'Neighbour', slug: 'neighbour' },
    });
    const { key = '' } = await control(world.gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'k', workspace_id: workspace, scopes: ['completions.write', 'providers.create'] },
    });
    const settings = { custom_host: `${vendor.upstream.origin}/v1` };
    const account = { name: 'ours', slug: 'ours', provider: 'openai', credential: { api_key: 'sk-1' }, settings };
    expect((await callControl(world.gateway, 'POST /providers', { key, body: account })).status).toBe(200);
    await world.noteFile('ours', 'file-2', 'neighbour');

    const before = vendor.upstream.requests.length;
    const elsewhere = { headers: { 'x-gw-virtual-key': 'elsewhere' } };
    for (const asking of [{ key }, elsewhere])
      for (const id of [made.id, 'ftjob-unknown']) {
        for (const rest of ['', '/checkpoints', '/events'])
          expect((await ask(`GET /fine_tuning/jobs/${id}${rest}`, asking)).status).toBe(404);
        const { status, body } = await ask(`POST /fine_tuning/jobs/${id}/cancel`, asking);
        expect([status, body.error.code]).toEqual([404, 'AB08']);
        expect(body.error.message).toContain(' GET /v1/fine_tuning/jobs lists what there is.');
      }
    expect((await ask('GET /fine_tuning/jobs', { key })).body.data).toEqual([]);
    expect((await ask(`GET /fine_tuning/jobs?after=${made.id}`, { key })).status).toBe(400);
    expect((await ask('POST /fine_tuning/jobs', { key, body: job })).status).toBe(400);
    expect(vendor.upstream.requests).toHaveLength(before);

    const { body: other } = await ask('POST /fine_tuning/jobs', { key, body: { ...job, training_file: 'file-2' } });
    expect((await ask('GET /fine_tuning/jobs', { key })).body.data.map(({ id }: { id: string }) => id)).toEqual([
      other.id,
    ]);
    expect((await ask(`GET /fine_tuning/jobs/${made.id}`)).status).toBe(200);
  });

  it('are created once for an idempotency key, and pass on a refusal of the provider', async () => {
    const headers = { 'x-gw-virtual-key': 'ours', 'idempotency-key': 'once' };
    const [one, two] = [
      await ask('POST /fine_tuning/jobs', { body: job, headers }),
      await ask('POST /fine_tuning/jobs', { body: job, headers }),
    ];
    expect([one.status, one.body.id]).toEqual([200, two.body.id]);
    const error = { message: 'No such model.', type: 'invalid_request_error', param: 'model', code: 'model_not_found' };
    const { origin } = vendor.upstream;
    await world.save({ slug: 'refusing', provider: 'openai', origin, base: '/elsewhere' });
    const refused = await ask('POST /fine_tuning/jobs', { body: job, headers: { 'x-gw-virtual-key': 'refusing' } });
    expect([refused.status, Object.keys(refused.body.error)]).toEqual([404, Object.keys(error)]);
  });
});
