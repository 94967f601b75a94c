import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRefusedAddress } from '../../../runtime/upstream/dns/refused-address.ts';
import { createUpstreams } from '../../../runtime/upstream/upstreams.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startProxy } from '../../support/servers/proxy-server.ts';
import { closeAfterTest } from './kit.ts';
import { ask, openByProxy } from './support.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

const listen = async (host: string): Promise<number> => {
  const server = createServer((_request, response) => response.end(host));
  await once(server.listen(0, host), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const resolvesTo =
  (...addresses: readonly string[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const open = (trusted: string, lookup?: LookupFunction): ReturnType<typeof createUpstreams> => {
  const upstreams = createUpstreams({
    ...{ trustedHosts: [trusted], connectMs: 3_000 },
    ...(lookup === undefined ? {} : { lookup }),
  });
  closeAfterTest(upstreams);
  return upstreams;
};

describe.skipIf(!hasIpv6)('a host with an IPv6 address', () => {
  it.each(['::1', '[::1]', '[::1]:{port}', '0:0:0:0:0:0:0:1', '[0::1]:{port}'])(
    'is called at its literal address if %s is trusted',
    async (entry) => {
      const port = await listen('::1');
      expect(await ask(open(entry.replace('{port}', String(port))), `http://[::1]:${port}`)).toBe('200 ::1');
      expect(await ask(open('[::1]:1'), `http://[::1]:${port}`)).toMatch(/^address-not-allowed/);
      expect(await ask(open('::2'), `http://[::1]:${port}`)).toMatch(/^address-not-allowed/);
    },
  );

  it('is called by a name that has no other address', async () => {
    const port = await listen('::1');
    const origin = `http://models.example:${port}`;
    expect(await ask(open('models.example', resolvesTo('::1')), origin)).toBe('200 ::1');
    expect(await ask(open('else.example', resolvesTo('::1')), origin)).toMatch(/^address-not-allowed/);
  });

  it.each([
    ['IPv6', ['::1', '127.0.0.1'], '127.0.0.1'],
    ['IPv4', ['127.0.0.1', '::1'], '::1'],
    // The discard prefix (RFC 6666) is unreachable or does not answer.
    ['the discard prefix', ['100::1', '127.0.0.1'], '127.0.0.1'],
  ])('is called at its other address if nothing answers at the one of %s', async (_, addresses, answers) => {
    const port = await listen(answers);
    expect(await ask(open('models.example', resolvesTo(...addresses)), `http://models.example:${port}`)).toBe(
      `200 ${answers}`,
    );
  });

  it('is reported once if none of its addresses answers', async () => {
    const origin = `http://models.example:${await freePort()}`;
    expect(await ask(open('models.example', resolvesTo('::1', '127.0.0.1')), origin)).toMatch(
      /^connection-failed: .*models\.example:\d+ could not be reached: the connection was refused\./,
    );
  });
});

it('an IPv6 address is sent to a proxy in brackets', async () => {
  const proxy = await startProxy({ fault: 'close' });
  const upstreams = openByProxy(proxy.url);
  expect(await ask(upstreams, 'http://[2606:4700::1111]:8080')).toMatch(/^proxy-failed: .*\[2606:4700::1111\]:8080/);
  expect(proxy.heads).toEqual([
    expect.stringMatching(/^CONNECT \[2606:4700::1111\]:8080 HTTP\/1\.1\r\nHost: \[2606:4700::1111\]:8080\r\n/),
  ]);
});

describe('a NAT64 address', () => {
  it('is refused exactly if the IPv4 address in it is refused', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const groups = address.split('.').map((each) => Number(each).toString(16).padStart(2, '0'));
        const hexadecimal = `64:ff9b::${groups[0]}${groups[1]}:${groups[2]}${groups[3]}`;
        for (const written of [hexadecimal, `64:ff9b::${address}`])
          expect([written, isRefusedAddress(written)]).toEqual([written, isRefusedAddress(address)]);
      }),
    );
  });
});
