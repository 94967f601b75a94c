import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../../plugins/control/resources.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { toNewBody } from '../../plugins/control/support/resource-bodies.ts';
import { resolved } from '../../support/declared/resolved-references.ts';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import type { Answered } from '../tenants/support/asking.ts';
import { headersFor } from '../tenants/support/file-and-batch.ts';
import { type Records, saveAll } from '../tenants/support/save-all.ts';
import { startTenants, type TenantWorld } from '../tenants/support/tenant-world.ts';

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

const policy = { conditions: [{ key: 'config', value: 'none' }], group_by: [{ key: 'api_key' }] };
const fileJob = { endpoint: '/v1/chat/completions', completion_window: 'immediate' };

/** Bodies of requests that may be repeated but create no described resource, by their operation. */
const bodies = (records: Records): Readonly<Record<string, object>> => ({
  create_config: { name: 'again', slug: 'again', config: { provider: 'echo' } },
  create_prompt: { name: 'again', slug: 'again', string: '[]', parameters: {}, virtual_key: 'ours-virtual-key' },
  create_partial: { name: 'again', slug: 'again-partial', string: 'Be.' },
  create_usage_policy: { ...policy, type: 'tokens', credit_limit: 1000 },
  create_rate_policy: { ...policy, type: 'requests', unit: 'rpd', value: 1000 },
  create_feedback: { trace_id: 'again', value: 1 },
  create_response: { model: '@ours-echo/m', input: 'Hello', store: true },
  create_batch: { ...fileJob, input_file_id: records['/files/{id}']?.[0] },
  create_fine_tuning_job: {
    ...{ model: 'm', suffix: 'again', method: { type: 'supervised' } },
    training_file: records['/files/{id}']?.[0],
  },
});

/**
 * The headers that an answer shares with its repetition. The headers of a response are those of the stored response, which no
 * target served.
 */
const lasting = ({ headers }: Answered): JsonObject =>
  Object.fromEntries(
    [...headers].filter(([name]) => !/^(?:date|x-gw-.*|idempotent-replayed|content-length|cache-control)$/.test(name)),
  );

const postgres = postgresFolder();
const stores = postgres === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

describe.each(stores)('with %s', (kind) => {
  let server: PostgresServer | undefined;
  let world: TenantWorld;
  let records: Records;
  let paths: Paths;

  beforeAll(async () => {
    server = kind === 'PostgreSQL' ? await startPostgres(postgres ?? '') : undefined;
    world = await startTenants(writeFolder({}), server === undefined ? {} : { store: server.url });
    records = await saveAll(world, world.ours, 'ours');
    const { text } = await world.ask('GET /v1/openapi.json', { key: world.ours.admin });
    paths = resolved(JSON.parse(text)).paths as unknown as Paths;
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await server?.stop();
  });

  const operations = (method: string) =>
    Object.entries(paths).flatMap(([path, { [method]: operation }]) =>
      operation === undefined ? [] : [{ path, operation }],
    );

  const headersOf = ({ responses }: Described): readonly string[] => Object.keys(responses[200]?.headers ?? {});

  it('an answer to an idempotency-key is repeated with its headers, which the API description names', async () => {
    const repeatable = operations('post').filter(({ operation: { parameters = [] } }) =>
      parameters.some(({ name }) => name === 'idempotency-key'),
    );
    expect(repeatable.length).toBeGreaterThan(15);
    for (const { path, operation } of repeatable) {
      const resource = resources.find((each) => each.path === path);
      const slug = resource?.naming === 'slug' ? { slug: `again-${resource.noun.replace(' ', '-')}` } : {};
      const body = resource ? { ...toNewBody(resource), ...slug } : bodies(records)[operation.operationId];
      expect(body, operation.operationId).toBeDefined();
      const key = ['/workspaces', '/integrations'].includes(path) ? world.ours.admin : world.ours.key;
      const headers = { ...headersFor(path, 'ours'), 'idempotency-key': 'once' };
      const first = await world.ask(`POST /v1${path}`, { key, headers, body });
      expect(first.status, `${path}: ${first.text}`).toBe(200);
      const again = await world.ask(`POST /v1${path}`, { key, headers, body });
      expect([again.status, again.text, lasting(again)], path).toEqual([200, first.text, lasting(first)]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      const named = headersOf(operation);
      expect(named, path).toContain('idempotent-replayed');
      expect(named.includes('etag'), path).toBe(again.headers.has('etag'));
    }
  });

  it('an answer has an etag only if the API description says so', async () => {
    const asked = operations('get').filter(({ path }) => path.split('{').length <= 2);
    const tagged: string[] = [];
    for (const { path, operation } of asked) {
      const [stem = ''] = /^.*?\{\w+\}/.exec(path) ?? [path];
      const name = records[stem]?.[0];
      if (path.includes('{') && name === undefined) continue;
      const key = path.startsWith('/integrations') ? world.ours.admin : world.ours.key;
      const headers = headersFor(path, 'ours');
      const { status, headers: sent } = await world.ask(`GET /v1${path.replace(/\{\w+\}/, name ?? '')}`, {
        key,
        headers,
      });
      if (status !== 200) continue;
      // A provider that runs the batch may return its output without an etag.
      if (!sent.has('etag') && path === '/batches/{id}/output') continue;
      expect(sent.has('etag'), path).toBe(headersOf(operation).includes('etag'));
      if (sent.has('etag')) tagged.push(path);
    }
    expect(tagged).toEqual(expect.arrayContaining(['/configs/{slug}', '/files/{id}/content', '/guardrails/{slug}']));
  });
});
