import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerTable } from '../../../runtime/http/headers/header-table.ts';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { withoutName } from './support/asking.ts';
import { type Records, saveAll } from './support/save-all.ts';
import { startTenants, type Tenant, type TenantWorld } from './support/tenant-world.ts';

let world: TenantWorld;
let theirs: Records;

beforeAll(async () => {
  world = await startTenants(writeFolder({}));
  theirs = await saveAll(world, world.ours, 'zzours');
  await saveAll(world, world.neighbour, 'neighbour');
  await saveAll(world, world.stranger, 'stranger');
});
afterAll(() => world[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;

const toConfigs = (name: string): readonly Headers[] =>
  [
    { provider: `@${name}` },
    { virtual_key: name },
    { prompt_id: name },
    { provider: 'echo', input_guardrails: [name] },
    { provider: 'echo', output_guardrails: [name] },
    { override_params: { model: `@${name}/m` } },
    { strategy: { mode: 'fallback' }, targets: [{ provider: `@${name}` }, { virtual_key: name }] },
    { strategy: { mode: 'loadbalance' }, targets: [{ provider: 'echo', weight: 0 }, { provider: `@${name}` }] },
  ].map((config) => ({ 'x-gw-config': JSON.stringify(config) }));

const own = { 'x-gw-provider': 'echo' };

const labels = ['workspace', 'workspace_id', 'tenant', '_user', '_organisation', '_environment', '_prompt'];

/** Possible values of each header that names something. The headers in `own` make a request that would otherwise be served. */
const naming: Readonly<Record<string, (name: string) => readonly Headers[]>> = {
  'x-gw-workspace': (name) => [{ ...own, 'x-gw-workspace': name }],
  'x-gw-config': (name) => [
    { 'x-gw-config': name },
    { 'x-gw-config': ` ${name} ` },
    { 'x-gw-config': `"${name}"` },
    { ...own, 'x-gw-config': name },
    ...toConfigs(name),
    ...toConfigs(name).map((config) => ({ ...own, ...config })),
  ],
  'x-gw-virtual-key': (name) => [
    { 'x-gw-virtual-key': name },
    { 'x-gw-virtual-key': `@${name}` },
    { 'x-gw-virtual-key': name, 'x-gw-config': '{"retry":{"attempts":1}}' },
  ],
  'x-gw-provider': (name) => [
    { 'x-gw-provider': `@${name}` },
    { 'x-gw-provider': name, authorization: 'Bearer sk-of-my-own' },
    { 'x-gw-provider': `@${name}`, 'x-gw-config': '{"retry":{"attempts":1}}' },
  ],
  'x-gw-metadata': (name) => labels.map((label) => ({ ...own, 'x-gw-metadata': JSON.stringify({ [label]: name }) })),
  baggage: (name) => labels.map((label) => ({ ...own, baggage: `${label}=${encodeURIComponent(name)}` })),
  'x-gw-trace-id': (name) => [{ ...own, 'x-gw-trace-id': name }],
  'x-gw-cache-namespace': (name) => [{ ...own, 'x-gw-cache-namespace': name }],
};

/** Headers that name no saved record, or that are forwarded to a provider unchanged. */
const nameless = new Set([
  // These identify the caller. All of these tests are about what a key can access.
  ...['x-gw-api-key', 'cookie'],
  ...[
    'x-gw-custom-host',
    'authorization',
    'x-gw-forward-headers',
    'x-gw-request-timeout',
    'x-gw-deadline',
    'x-gw-max-cost',
    'x-gw-usage',
    'x-gw-debug',
    ...['x-gw-span-id', 'x-gw-parent-span-id', 'x-gw-span-name'],
  ],
  ...['x-gw-strict-llmv-compliance', 'x-gw-cache-force-refresh', 'traceparent', 'host', 'origin', 'content-type'],
  ...['content-length', 'content-encoding', 'transfer-encoding', 'expect', 'x-amz-date', 'x-amz-content-sha256'],
  ...['x-amz-security-token', 'x-gw-sensitive-headers', 'x-gw-anthropic-beta', 'x-gw-anthropic-version', 'upgrade'],
  'sec-websocket-protocol',
]);

/** Settings of a provider for which the caller sends the credential. */
const isSetting = (name: string): boolean =>
  /^x-gw-(?:cloud[abc]|llmv|workers-ai|fireworks|snowflake|oracle|huggingface|mistral|stability|amzn-sagemaker)-|^x-cloudb-/.test(
    name,
  );

const attackers = (): readonly { readonly tenant: Tenant; readonly key: string; readonly headers: Headers }[] => {
  const { neighbour, stranger } = world;
  return [
    { tenant: neighbour, key: neighbour.key, headers: {} },
    { tenant: neighbour, key: neighbour.admin, headers: { 'x-gw-workspace': neighbour.slug } },
    { tenant: stranger, key: stranger.key, headers: {} },
    { tenant: stranger, key: stranger.admin, headers: {} },
  ];
};

const unknownLike = (name: string): string =>
  /^[\da-f]{8}-/.test(name) ? `${name.slice(0, -6)}ffffff` : `qq${name.slice(2)}`;

const body = { model: 'm', messages: [{ role: 'user', content: 'Hello!' }] };

const isUnreached = (): void => {
  for (const { upstream, credential } of [world.ours, world.neighbour, world.stranger])
    for (const request of upstream.requests) expect(request.header('authorization')).toBe(`Bearer ${credential}`);
  expect(world.ours.upstream.requests).toHaveLength(0);
};

describe('in a request,', () => {
  it('each header is known to name something, or to name nothing', () => {
    const names = headerTable.map(({ name }) => name);
    expect(names.filter((name) => !(name in naming) && !nameless.has(name) && !isSetting(name))).toEqual([]);
    expect(Object.keys(naming).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(Object.keys(naming))(
    'the header %s with a name of another tenant is answered as with one that does not exist',
    async (header) => {
      const names = Object.values(theirs).flat();
      for (const [nameAt, known] of names.entries())
        for (const [attackerAt, { key, headers }] of attackers().entries()) {
          if (!isSampled(nameAt, attackerAt, 4)) continue;
          if (header === 'x-gw-workspace' && (headers['x-gw-workspace'] !== undefined || key === world.neighbour.admin))
            continue;
          const unknown = unknownLike(known);
          const asked = await Promise.all(
            [known, unknown].map(async (name) => {
              const every = naming[header]?.(name) ?? [];
              return await Promise.all(
                every.map(async (each) => {
                  const asking = { key, headers: { ...headers, ...each }, body };
                  return withoutName(await world.ask('POST /v1/chat/completions', asking), name);
                }),
              );
            }),
          );
          expect(asked[0], `${header} with ${known}`).toEqual(asked[1]);
        }
      isUnreached();
    },
  );

  it.each([
    ['a model', (name: string) => ['POST /v1/chat/completions', { ...body, model: `@${name}/m` }]],
    ['a model in the path', (name: string) => [`POST /v1beta/models/@${name}/m:generateContent`, { contents: [] }]],
    [
      'a model of an embeddings request',
      (name: string) => ['POST /v1/embeddings', { model: `@${name}/m`, input: 'x' }],
    ],
  ] as const)('a name of another tenant in %s is answered as one that does not exist', async (_, toRequest) => {
    for (const [nameAt, known] of Object.values(theirs).flat().entries())
      for (const [attackerAt, { key, headers }] of attackers().entries()) {
        if (!isSampled(nameAt, attackerAt, 4)) continue;
        const unknown = unknownLike(known);
        const [found, none] = await Promise.all(
          [known, unknown].map(async (name) => {
            const [request, json] = toRequest(name);
            return withoutName(await world.ask(String(request), { key, headers, body: json }), name);
          }),
        );
        expect(found, known).toEqual(none);
      }
    isUnreached();
  });

  it('x-gw-workspace cannot access another workspace by its slug', async () => {
    const { ours, neighbour, stranger } = world;
    for (const [key, known, unknown] of [
      [neighbour.key, ours.slug, 'none'],
      [neighbour.key, 'default', 'nothing'],
      [stranger.key, neighbour.slug, 'nobody'],
      [stranger.admin, neighbour.slug, 'nobody'],
      [stranger.admin, ours.id, unknownLike(ours.id)],
    ] as const)
      for (const request of ['POST /v1/chat/completions', 'GET /v1/configs', 'GET /v1/organisation']) {
        const [found, none] = await Promise.all(
          [known, unknown].map(async (name) => {
            const asking = { key, headers: { ...own, 'x-gw-workspace': name } };
            return await world.ask(request, request.startsWith('GET') ? asking : { ...asking, body });
          }),
        );
        expect(found?.status).toBe(403);
        expect(found && withoutName(found, known)).toEqual(none && withoutName(none, unknown));
      }
  });
});
