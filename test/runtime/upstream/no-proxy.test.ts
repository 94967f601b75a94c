import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNoProxy } from '../../../runtime/upstream/no-proxy.ts';

const isDirect = (text: string, host: string): boolean => {
  const { hostname, port } = new URL(`https://${host}`);
  return readNoProxy(text)({ hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) });
};

describe('an entry of NO_PROXY', () => {
  it.each([
    ['example.com', ['example.com', 'api.example.com', 'a.b.example.com', 'EXAMPLE.com:8443', 'example.com.']],
    ['.example.com', ['example.com', 'api.example.com']],
    ['*.example.com', ['example.com', 'api.example.com']],
    ['Example.COM', ['api.example.com']],
    ['example.com.', ['api.example.com']],
    ['example.com:8443', ['example.com:8443', 'api.example.com:8443']],
    ['10.1.2.3', ['10.1.2.3', '10.1.2.3:8080']],
    ['10.1.2.3:8080', ['10.1.2.3:8080']],
    ['10.0.0.0/8', ['10.1.2.3', '10.255.255.255:9', '[::ffff:10.1.2.3]']],
    ['0.0.0.0/0', ['8.8.8.8']],
    ['fd00::1', ['[fd00::1]', '[fd00:0:0::1]:8443']],
    ['FD00:0:0:0:0:0:0:1', ['[fd00::1]']],
    ['[fd00::1]', ['[fd00::1]', '[fd00::1]:8443']],
    ['[fd00::1]:8443', ['[fd00::1]:8443']],
    ['fd00::/8', ['[fd12::1]']],
    ['[fd00::]/8', ['[fd12::1]']],
    ['*', ['example.com', '8.8.8.8', '[2606:4700::1111]']],
    ['a.example, b.example c.example', ['a.example', 'b.example', 'c.example']],
    ['', ['localhost', 'api.localhost', '127.0.0.1', '127.8.8.8:80', '[::1]']],
  ])('%s allows direct connections to %j', (text, hosts) => {
    for (const host of hosts) expect([host, isDirect(text, host)]).toEqual([host, true]);
  });

  it.each([
    ['example.com', ['example.org', 'badexample.com', 'com', 'example.com.evil.org']],
    ['.example.com', ['badexample.com']],
    ['example.com:8443', ['example.com', 'api.example.com:443']],
    ['10.1.2.3', ['10.1.2.30', '10.1.2.3.example', '1.10.1.2.3.example']],
    ['2.3', ['10.1.2.3']],
    ['10.0.0.0/8', ['11.0.0.1', 'ten.example', '[fd00::1]']],
    ['10.0.0.0/33', ['10.0.0.1']],
    ['10.0.0.0/', ['10.0.0.1']],
    ['/8', ['10.0.0.1']],
    ['fd00::1', ['[fd00::2]']],
    ['[fd00::1]:8443', ['[fd00::1]']],
    ['fd00::/8', ['[fe00::1]', '10.0.0.1']],
    ['*example.com', ['badexample.com']],
    ['', ['example.com', '8.8.8.8']],
    [' , ,, . :80 [] * .', []],
    ['. :80 [] .. *.', ['example.com']],
  ])('%s does not allow direct connections to %j', (text, hosts) => {
    for (const host of hosts) expect([host, isDirect(text, host)]).toEqual([host, false]);
  });

  it('matches its name and every subdomain, with or without a leading "." or "*."', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/);
    const name = fc.array(label, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(name, name, fc.constantFrom('', '.', '*.'), (entry, host, prefix) => {
        const expected = entry.every((each, at) => host.at(at - entry.length) === each);
        expect(readNoProxy(`${prefix}${entry.join('.')}`)({ hostname: host.join('.'), port: 443 })).toBe(expected);
      }),
    );
  });

  it('for a network matches every address with the same leading bits', () => {
    const toNumber = (address: string): bigint =>
      address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
    const address = fc.ipV4().filter((each) => !each.startsWith('127.'));
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (network, host, bits) => {
        const shift = BigInt(32 - bits);
        const expected = toNumber(network) >> shift === toNumber(host) >> shift;
        expect(readNoProxy(`${network}/${bits}`)({ hostname: host, port: 443 })).toBe(expected);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.webAuthority(), (text, host) => void readNoProxy(text)({ hostname: host, port: 1 })),
    );
  });
});
