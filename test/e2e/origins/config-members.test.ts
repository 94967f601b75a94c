import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentialFields, firstSpelling, settingFields } from '../../../schema/config/provider-fields.ts';
import { isSampled } from '../../support/sampled-pairs.ts';
import { callControl, control } from '../../support/stored-gateway.ts';
import { dialectOperations, otherOperations } from './support/operations.ts';
import { type OriginsWorld, type Owner, startOrigins } from './support/origins-world.ts';

let world: OriginsWorld;

beforeAll(async () => {
  world = await startOrigins({ providers: [] });
});
afterAll(() => world[Symbol.asyncDispose]());

/** The members of a config that say where it goes, or what goes with it. */
const choosing: Readonly<Record<string, (host: string) => object>> = {
  custom_host: (host) => ({ custom_host: `${host}/v1` }),
  forward_headers: () => ({ forward_headers: ['x-team'] }),
};

/** Those that name what is saved, and those that have a credential, which cannot stand beside a name. */
const naming: ReadonlySet<string> = new Set<string>([
  'provider',
  'virtual_key',
  'prompt_id',
  'keys',
  ...credentialFields,
]);

/** Whether they make an address is for each provider to say: see the tests of `saved-credential-hosts` and of completed plans. */
const settings: ReadonlySet<string> = new Set<string>(settingFields);

/** The members that say nothing of where a request goes. */
const harmless: ReadonlySet<string> = new Set([
  ...['name', 'weight', 'targets', 'strategy', 'on_status_codes', 'override_params', 'strict_llmv_compliance'],
  ...['request_timeout', 'deadline_ms', 'max_cost_usd', 'cache', 'retry', 'cb_config', 'breaker', 'probe', 'accounts'],
  // Its target is a config of its own, for which the same holds.
  'mirror',
  // What checks are called with stands in their own parameters.
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

/** All but the handshake of a WebSocket, which is answered before any config is read. */
const operations = [...dialectOperations, ...otherOperations].filter(({ isUpgrade }) => isUpgrade !== true);

/** One of so many operations is tried with each of the headers in a day, and all of them with some. */
const oneIn = 8;
let triedHeaders = 0;

/** Every request that these headers make is refused, and no host hears of it. */
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

it('a member of a config chooses a destination, names, is a setting, or is known to do none of it', () => {
  const known = (name: string): boolean =>
    name in choosing || naming.has(name) || settings.has(name) || harmless.has(name);
  expect(Object.keys(properties).filter((name) => !known(firstSpelling(name)))).toEqual([]);
  expect([...Object.keys(choosing), ...harmless].filter((name) => !(name in properties))).toEqual([]);
});

describe.each(Object.keys(choosing))('%s beside a saved credential', (member) => {
  const own = (): object => choosing[member]?.(world.spy.origin) ?? {};

  it.each(named)('is refused in a config of the caller: %s %s', async (header, value, by) => {
    const group = { strategy: { mode: 'fallback' }, targets: [by] };
    for (const config of [
      { ...by, ...own() },
      { ...group, ...own() },
      { ...group, targets: [{ ...by, ...own() }] },
    ])
      await isRefused({ 'x-gw-config': JSON.stringify(config) });
    await isRefused({ 'x-gw-config': JSON.stringify({ retry: { attempts: 1 }, ...own() }), [header]: value });
  });

  it.each(named)('is refused in a saved config, before and after it is saved: %s %s', async (header, value, by) => {
    const { gateway } = world;
    const config = { ...by, ...own() };
    const said = await callControl(gateway, 'POST /configs', { workspace: 'default', body: { name: 'evil', config } });
    expect(said).toMatchObject({ status: 400, text: expect.stringContaining('A saved credential cannot be sent') });
    const slug = `open-${member.replaceAll('_', '-')}-${value.replaceAll(/\W/g, '')}`;
    const open = { name: slug, slug, config: { retry: { attempts: 1 }, ...own() } };
    const { data } = await control(gateway, 'POST /configs', { workspace: 'default', body: open });
    await isRefused({ 'x-gw-config': data?.slug ?? slug, [header]: value });
  });
});
