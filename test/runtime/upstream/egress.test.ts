import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkedLookup } from '../../../runtime/upstream/dns/checked-lookup.ts';
import { isRefusedAddress } from '../../../runtime/upstream/dns/refused-address.ts';
import { createUpstreams } from '../../../runtime/upstream/upstreams.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { answered, failed, get, manualClock, toScope } from '../streams/kit.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close();
});

const resolvesTo =
  (...addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const found: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const [first] = found;
    if (options.all === true || first === undefined) callback(null, found);
    else callback(null, first.address, first.family);
  };

const ask = async (
  origin: string,
  { trusted = [], lookup }: { readonly trusted?: readonly string[]; readonly lookup?: LookupFunction } = {},
) => {
  const upstreams = createUpstreams({
    trustedHosts: trusted,
    connectMs: 2_000,
    ...(lookup === undefined ? {} : { lookup }),
  });
  opened.push(upstreams);
  return upstreams.open(origin, { operatorHost: true }).send(get(origin), toScope());
};

const listening = async (): Promise<TestUpstream> => {
  const server = await startUpstream((call) => call.json({ reached: true }));
  opened.push(server);
  return server;
};

describe("the service of the machine's identity", () => {
  const path = '/metadata/identity/oauth2/token?resource=x';
  const begin = async () => {
    const server = await listening();
    const upstreams = createUpstreams({ trustedHosts: [], connectMs: 2_000, identityOrigin: server.origin });
    opened.push(upstreams);
    return { server, upstreams };
  };

  it('is called at an address to which no other request may be sent', async () => {
    const { server, upstreams } = await begin();
    const request = { ...get(server.origin), path };
    expect(await upstreams.identityService().send(request, toScope())).toMatchObject({ kind: 'answer', status: 200 });
    for (const operatorHost of [true, false])
      expect(await upstreams.open(server.origin, { operatorHost }).send(request, toScope())).toMatchObject({
        kind: 'failure',
        error: { code: 'address-not-allowed' },
      });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['another path', { path: '/metadata/instance?api-version=2021-02-01' }],
    ['another method', { path, method: 'POST' }],
    ['a body', { path, body: { kind: 'bytes', bytes: Buffer.from('a') } as const }],
  ])('is not called with %s', async (_, changed) => {
    const { server, upstreams } = await begin();
    const answer = await upstreams.identityService().send({ ...get(server.origin), ...changed }, toScope());
    expect(answer).toMatchObject({ kind: 'failure', error: { code: 'address-not-allowed' } });
    expect(server.requests).toEqual([]);
  });
});

describe('an address', () => {
  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254'],
    ...['168.63.129.16', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255', '192.0.0.192'],
    ...['192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::a00:1'],
    ...[
      '64:ff9b::10.0.0.1',
      '64:ff9b::',
      '64:ff9b::1',
      '64:ff9b:0:0:0:0:7f00:1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:0:0:1::',
    ],
    ...['::ffff:10.0.0.1', '::ffff:0:808:808', 'fe80::1%1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ...['64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1'],
    ...['fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
  ])('%s is refused', (address) => expect(isRefusedAddress(address)).toBe(true));

  it.each([
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['172.15.255.255', '172.32.0.0', '192.167.255.255', '198.17.255.255', '223.255.255.255'],
    ...['2606:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '2620:fe::fe'],
    ...['64:ff9b::808:808', '64:ff9b::8.8.8.8', '64:FF9B:0:0:0:0:101:101'],
  ])('%s is public', (address) => expect(isRefusedAddress(address)).toBe(false));
});

describe('egress', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '169.254.169.254'])(
    'does not reach the literal address %s',
    async (host) => {
      const server = await listening();
      const answer = await ask(`http://${host}:${server.port}`);
      expect(failed(answer)).toMatchObject({ code: 'address-not-allowed', status: 502, type: 'network_error' });
      expect(server.accepted).toBe(0);
    },
  );

  it('does not reach a name that resolves to no public address, and reports the address', async () => {
    const server = await listening();
    const answer = await ask(`http://rebound.example:${server.port}`, { lookup: resolvesTo('127.0.0.1', '::1') });
    expect(failed(answer).code).toBe('address-not-allowed');
    expect(failed(answer).message).toContain(`rebound.example:${server.port} resolves to 127.0.0.1`);
    expect(server.accepted).toBe(0);
  });

  it('connects only to addresses that it has checked: of mixed ones, to those that are public', () => {
    const dialled: unknown[] = [];
    const lookup = checkedLookup(resolvesTo('127.0.0.1', '8.8.8.8', '::1', '2620:fe::fe'));
    lookup('mixed.example', { all: true }, (_error, found) => dialled.push(found));
    lookup('mixed.example', {}, (_error, found, family) => dialled.push(found, family));
    expect(dialled).toEqual([
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2620:fe::fe', family: 6 },
      ],
      ...['8.8.8.8', 4],
    ]);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1:{port}'],
    ['models.example', 'models.example'],
    ['models.example', 'MODELS.example:{port}'],
    ['a.b.models.example', '*.models.example'],
    ['localhost', 'localhost'],
    ['api.localhost', 'localhost'],
  ])('reaches %s if %s is trusted', async (host, entry) => {
    const server = await listening();
    const trusted = [entry.replace('{port}', String(server.port))];
    const answer = await ask(`http://${host}:${server.port}`, { trusted, lookup: resolvesTo('127.0.0.1') });
    expect(answered(answer).status).toBe(200);
  });

  it.each([
    ['other.example', '127.0.0.1'],
    ['models.example', 'models.example:1'],
    ['models.example', '*.models.example'],
    ['evilmodels.example', '*.models.example'],
    ['notlocalhost', 'localhost'],
  ])('does not reach %s if only %s is trusted', async (host, entry) => {
    const server = await listening();
    const answer = await ask(`http://${host}:${server.port}`, { trusted: [entry], lookup: resolvesTo('127.0.0.1') });
    expect(failed(answer).code).toBe('address-not-allowed');
    expect(server.accepted).toBe(0);
  });

  it('notices a change in DNS when a connection has become too old', async () => {
    const clock = manualClock();
    const addresses = ['127.0.0.1'];
    const server = await listening();
    const upstreams = createUpstreams({
      trustedHosts: ['moving.example'],
      maxAgeMs: 1_000,
      clock,
      lookup: (name, options, callback) => resolvesTo(...addresses)(name, options, callback),
    });
    opened.push(upstreams);
    const origin = `http://moving.example:${server.port}`;
    const upstream = upstreams.open(origin, { operatorHost: true });
    await answered(await upstream.send(get(origin), toScope())).body.collect(100);
    addresses[0] = '127.0.0.2';
    clock.advance(1_000);
    // Nothing listens at the new address.
    expect(failed(await upstream.send(get(origin), toScope())).message).toContain('the connection was refused');
  });
});
