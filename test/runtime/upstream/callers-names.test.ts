import { promises } from 'node:dns';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UpstreamOptions } from '../../../runtime/ports/upstreams.ts';
import { createUpstreams, type Upstreams } from '../../../runtime/upstream/upstreams.ts';
import { type NameAnswer, type NameServer, startNameServer } from '../../support/servers/name-server.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { answered, failed, get, toScope } from '../streams/kit.ts';

/** The answers of the name server. */
let names: Record<string, NameAnswer> = {};
let nameServer: NameServer;
let server: TestUpstream;
let upstreams: Upstreams;

beforeEach(async () => {
  names = {};
  nameServer = await startNameServer((name) => names[name.toLowerCase()]);
  const resolve4 = promises.Resolver.prototype.resolve4 as (name: string) => Promise<string[]>;
  vi.spyOn(promises.Resolver.prototype, 'resolve4').mockImplementation(function resolveHere(
    this: InstanceType<typeof promises.Resolver>,
    name: string,
  ) {
    this.setServers([nameServer.address]);
    return resolve4.call(this, name) as never;
  });
  server = await startUpstream((call) => call.json({ reached: true }));
  upstreams = createUpstreams({ trustedHosts: [`localhost:${server.port}`], connectMs: 5_000 });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await upstreams.close();
  await server.close();
  await nameServer.close();
});

const owners = { operator: { operatorHost: true }, tenant: { operatorHost: false, tenantHost: true } } as const;

const ask = async (host: string, options: UpstreamOptions = { operatorHost: false }) => {
  const origin = `http://${host}:${server.port}`;
  return await upstreams.open(origin, options).send(get(origin), toScope());
};

describe.each([
  ['a host specified by a caller', { operatorHost: false }],
  ['a host saved by a tenant', owners.tenant],
])('%s', (_, owner) => {
  it('is resolved by the name servers, and its address is checked', async () => {
    names = { 'rebound.acme.com': ['127.0.0.1'] };
    const answer = failed(await ask('rebound.acme.com', owner));
    expect(answer.code).toBe('address-not-allowed');
    expect(answer.message).toContain('resolves to 127.0.0.1');
    expect(nameServer.questions.toSorted()).toEqual(['A rebound.acme.com', 'AAAA rebound.acme.com']);
    expect(server.accepted).toBe(0);
  });

  it('does not resolve if its name has no address or does not exist', async () => {
    names = { 'empty.acme.com': [] };
    for (const host of ['empty.acme.com', 'none.acme.com'])
      expect(failed(await ask(host, owner)).message).toContain('its name does not resolve');
  });

  it('does not block hosts of others while its name server does not answer', async () => {
    const slow = Array.from({ length: 20 }, (_, index) => `slow-${index}.acme.com`);
    names = Object.fromEntries(slow.map((name) => [name, 'silence']));
    const asked = slow.map((name) => ask(name, owner));
    await expect.poll(() => new Set(nameServer.questions).size).toBe(40);
    expect(answered(await ask('localhost', owners.operator)).status).toBe(200);
    expect(answered(await ask('localhost', owner)).status).toBe(200);
    await upstreams.close();
    for (const answer of await Promise.all(asked)) expect(answer.kind).toBe('failure');
  });

  it.each(['model', 'models.internal', 'models.localhost'])(
    'is resolved by the system if it is named %s',
    async (name) => {
      failed(await ask(name, owner));
      expect(nameServer.questions).toEqual([]);
    },
  );
});

it('a host of the operator is resolved by the system', async () => {
  names = { 'models.acme.com': ['127.0.0.1'] };
  failed(await ask('models.acme.com', owners.operator));
  expect(nameServer.questions).toEqual([]);
});
