import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const admin = 'the-admin-key-of-this-test-with-40-chars';
const rounds = 15;

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Ask = (request: string, body?: object, workspace?: string) => Promise<Answer>;

const serve = (store: string): Promise<GatewayProcess> =>
  startGateway({
    args: ['--store', store],
    env: { GW_ADMIN_KEY: admin, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });

const asking =
  (gateway: GatewayProcess): Ask =>
  async (request, body, workspace) => {
    const [method = 'GET', route = '/'] = request.split(' ');
    const answer = await fetch(`${gateway.baseUrl}${route}`, {
      method,
      headers: {
        'x-gw-api-key': admin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(workspace === undefined ? {} : { 'x-gw-workspace': workspace }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };

const key = { name: 'racing', scopes: ['completions.write'] };

const things: readonly (readonly [string, object])[] = [
  ['/api-keys/workspace/service', key],
  ['/providers', { name: 'racing', provider: 'echo' }],
  ['/configs', { name: 'racing', config: { provider: 'echo' } }],
  ['/prompts/partials', { name: 'racing', string: 'Hello.' }],
  ['/collections', { name: 'racing' }],
];

const stores = ['SQLite', 'PostgreSQL'].filter((name) => name === 'SQLite' || postgresFolder() !== undefined);

describe.each(stores)('simultaneous changes in %s', (name) => {
  let server: PostgresServer | undefined;
  let gateway: GatewayProcess;
  let ask: Ask;
  beforeAll(async () => {
    if (name === 'PostgreSQL') server = await startPostgres(postgresFolder() ?? '');
    gateway = await serve(server?.url ?? 'gateway.db');
    ask = asking(gateway);
  });
  afterAll(async () => {
    await gateway.stop();
    await server?.stop();
  });

  it('do not delete a config that a new or changed key has as its default', async () => {
    const changed: { readonly id: string } = JSON.parse((await ask('POST /api-keys/workspace/service', key)).text);
    const ended: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const slug of [`new-${round}`, `changed-${round}`])
        expect((await ask('POST /configs', { name: slug, slug, config: { provider: 'echo' } })).status).toBe(200);
      const named = (slug: string): object => ({ defaults: { config_id: slug } });
      const answers = await Promise.all([
        ask('POST /api-keys/workspace/service', { ...key, ...named(`new-${round}`) }),
        ask(`DELETE /configs/new-${round}`),
        ask(`PUT /api-keys/${changed.id}`, named(`changed-${round}`)),
        ask(`DELETE /configs/changed-${round}`),
      ]);
      const [made, deleted, updated, gone] = answers.map(({ status }) => status);
      ended.push([made ?? 0, deleted ?? 0], [updated ?? 0, gone ?? 0]);
    }
    const expected = new Set(['200,409', '400,200']);
    expect(ended.map(String).filter((each) => !expected.has(each))).toEqual([]);
  });

  it('do not delete a provider or config that a new config, prompt or virtual model names', async () => {
    const ended: (readonly Answer[])[] = [];
    const provider = { provider: 'echo' };
    const config = { provider: 'echo', override_params: { model: 'm' } };
    for (let round = 0; round < rounds; round += 1) {
      for (const slug of [`saved-${round}`, `model-${round}`, `sent-${round}`])
        expect((await ask('POST /providers', { name: slug, slug, ...provider })).status).toBe(200);
      const slug = `named-${round}`;
      expect((await ask('POST /configs', { name: slug, slug, config })).status).toBe(200);
      const target = { provider: `@saved-${round}` };
      const prompt = { string: 'Hello.', parameters: {}, virtual_key: `@sent-${round}` };
      const answers = await Promise.all([
        ask('POST /configs', { name: `of-${round}`, slug: `of-${round}`, config: target }),
        ask(`DELETE /providers/saved-${round}`),
        ask('POST /virtual-models', { name: `to-config-${round}`, target: `config:${slug}` }),
        ask(`DELETE /configs/${slug}`),
        ask('POST /virtual-models', { name: `to-model-${round}`, target: `@model-${round}/m` }),
        ask(`DELETE /providers/model-${round}`),
        ask('POST /prompts', { name: `sent-${round}`, ...prompt }),
        ask(`DELETE /providers/sent-${round}`),
      ]);
      for (const at of [0, 2, 4, 6]) ended.push(answers.slice(at, at + 2));
    }
    const isEither = (pair: readonly Answer[]): boolean =>
      /^(200,409|40[09],200)$/.test(pair.map(({ status }) => status).join());
    expect(ended.filter((pair) => !isEither(pair))).toEqual([]);
  });

  it.each(things)('of one record are all made if none requires an etag: %s', async (route, body) => {
    const made = await ask(`POST ${route}`, { ...body, name: 'changed' });
    expect(made).toMatchObject({ status: 200 });
    const { id, slug = id } = { ...JSON.parse(made.text), ...JSON.parse(made.text).data };
    const path = route === '/api-keys/workspace/service' ? '/api-keys' : route;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(`PUT ${path}/${slug}`, { name: `changed-${index}` })),
    );
    expect(answers.flatMap(({ status, text }) => (status === 200 ? [] : [text]))).toEqual([]);
    const read = await ask(`GET ${path}/${slug}`);
    expect(read.text).toMatch(/"name":"changed-\d+"/);
  });

  it('either delete a workspace or create a record in it', async () => {
    const ended: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const workspace = `team-${round}`;
      expect((await ask('POST /workspaces', { name: workspace, slug: workspace })).status).toBe(200);
      const thing = things[round % things.length] ?? ['', {}];
      const [deleted, made] = await Promise.all([
        ask(`DELETE /workspaces/${workspace}`),
        ask(`POST ${thing[0]}`, thing[1], workspace),
      ]);
      ended.push(`${deleted.status},${made.status}`);
    }
    expect(ended.filter((each) => !/^(200,40[0349]|409,200)$/.test(each))).toEqual([]);
  });
});
