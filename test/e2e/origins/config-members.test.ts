import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentialFields, firstSpelling, settingFields } from '../../../schema/config/provider-fields.ts';
import { callControl, control } from '../../support/gateways/stored-gateway.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { dialectOperations, otherOperations } from './support/operations.ts';
import { type OriginsWorld, type Owner, startOrigins } from './support/origins-world.ts';

let world: OriginsWorld;

beforeAll(async () => {
  world = await startOrigins({ providers: [] });
});
afterAll(() => world[Symbol.asyncDispose]());

/** The members of a config that choose its destination or what is sent along. */
const choosing: Readonly<Record<string, (host: string) => object>> = {
  custom_host: (host) => ({ custom_host: `${host}/v1` }),
  forward_headers: () => ({ forward_headers: ['x-team'] }),
};

/** Members that name a saved resource, and members with a credential, which cannot be combined with a name. */
const naming: ReadonlySet<string> = new Set<string>([
  'provider',
  'virtual_key',
  'prompt_id',
  'keys',
  ...credentialFields,
]);

/** Each provider determines whether they form an address: see the tests of `saved-credential-hosts` and of completed plans. */
const settings: ReadonlySet<string> = new Set<string>(settingFields);

/** The members that do not affect where a request goes. */
const harmless: ReadonlySet<string> = new Set([
  ...['name', 'weight', 'targets', 'strategy', 'on_status_codes', 'override_params', 'strict_llmv_compliance'],
  ...['request_timeout', 'deadline_ms', 'max_cost_usd', 'cache', 'retry', 'cb_config', 'breaker', 'probe', 'accounts'],
  // Its target is a config of its own, to which the same rules apply.
  'mirror',
  // The parameters of checks specify what is sent with their calls.
  ...['before_request_hooks', 'after_request_hooks', 'input_guardrails', 'output_guardrails'],
]);

const { properties } = JSON.parse(
  readFileSync(new URL('../../../schema/config.schema.json', import.meta.url), 'utf8'),
) as { readonly properties: Readonly<Record<string, unknown>> };

const named: readonly (readonly [header: string, value: string, member: object])[] = [
  ['x-gw-provider', '@stored', { provider: '@stored' }],
  ['x-gw-provider', '@of-integration', { provider: '@of-integration' }],
  ['x-gw-provider', '@file-provider', { provider: '@file-provider' }],
  ['x-gw-provider', '@file-pool', { provider: '@file-pool' }],
  ['x-gw-provider', '@stored-pool', { provider: '@stored-pool' }],
  ['x-gw-virtual-key', 'stored-key', { virtual_key: 'stored-key' }],
  ['x-gw-virtual-key', 'file-key', { virtual_key: 'file-key' }],
];

/** All but the handshake of a WebSocket, which is answered before a config is read. */
const operations = [...dialectOperations, ...otherOperations].filter(({ isUpgrade }) => isUpgrade !== true);

/** Each day, one in this many operations is tried with each header. All of them are tried with some header. */
const oneIn = 8;
let triedHeaders = 0;

/** Checks that every request with these headers is refused, and that no host receives one. */
const isRefused = async (headers: Readonly<Record<string, string>>): Promise<void> => {
  triedHeaders += 1;
  const [{ key } = { key: '' }] = world.owners;
  const owner: Owner = { name: 'caller', key, headers, secret: '' };
  const before = [world.spy.accepted, world.named.requests.length];
  for (const operation of operations.filter((_, at) => isSampled(triedHeaders, at, oneIn))) {
    const { status, text } = await world.send(operation, owner);
    const what = `${operation.request} with ${JSON.stringify(headers)}`;
    expect(`${status} ${text}`, what).toMatch(
      /^400 .*(?:credential-origin-mismatch|A saved credential cannot be sent)/s,
    );
  }
  expect([world.spy.accepted, world.named.requests.length]).toEqual(before);
};

it('a member of a config chooses a destination, names a resource, is a setting, or is known to do none of these', () => {
  const known = (name: string): boolean =>
    name in choosing || naming.has(name) || settings.has(name) || harmless.has(name);
  expect(Object.keys(properties).filter((name) => !known(firstSpelling(name)))).toEqual([]);
  expect([...Object.keys(choosing), ...harmless].filter((name) => !(name in properties))).toEqual([]);
});

describe.each(Object.keys(choosing))('%s beside a saved credential', (member) => {
  const own = (): object => choosing[member]?.(world.spy.origin) ?? {};

  it.each(named)('is rejected in a config of the caller: %s %s', async (header, value, by) => {
    const group = { strategy: { mode: 'fallback' }, targets: [by] };
    for (const config of [
      { ...by, ...own() },
      { ...group, ...own() },
      { ...group, targets: [{ ...by, ...own() }] },
    ])
      await isRefused({ 'x-gw-config': JSON.stringify(config) });
    await isRefused({ 'x-gw-config': JSON.stringify({ retry: { attempts: 1 }, ...own() }), [header]: value });
  });

  it.each(named)(
    'is rejected in a saved config, when it is saved and when it is used: %s %s',
    async (header, value, by) => {
      const { gateway } = world;
      const config = { ...by, ...own() };
      const said = await callControl(gateway, 'POST /configs', {
        workspace: 'default',
        body: { name: 'evil', config },
      });
      expect(said).toMatchObject({ status: 400, text: expect.stringContaining('A saved credential cannot be sent') });
      const slug = `open-${member.replaceAll('_', '-')}-${value.replaceAll(/\W/g, '')}`;
      const open = { name: slug, slug, config: { retry: { attempts: 1 }, ...own() } };
      const { data } = await control(gateway, 'POST /configs', { workspace: 'default', body: open });
      await isRefused({ 'x-gw-config': data?.slug ?? slug, [header]: value });
    },
  );
});
