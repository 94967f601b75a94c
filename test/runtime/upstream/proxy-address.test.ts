import { describe, expect, it } from 'vitest';
import { readProxyAddress } from '../../../runtime/upstream/proxy-address.ts';

describe('the URL of a proxy', () => {
  it.each([
    [
      'http://proxy.example:3128',
      { hostname: 'proxy.example', port: 3128, isSecure: false, host: 'proxy.example:3128' },
    ],
    ['http://proxy.example', { hostname: 'proxy.example', port: 80, isSecure: false, host: 'proxy.example:80' }],
    ['https://proxy.example/', { hostname: 'proxy.example', port: 443, isSecure: true, host: 'proxy.example:443' }],
    ['proxy.example:3128', { hostname: 'proxy.example', port: 3128, isSecure: false, host: 'proxy.example:3128' }],
    ['http://[fd00::1]:3128', { hostname: 'fd00::1', port: 3128, isSecure: false, host: '[fd00::1]:3128' }],
  ])('%s is valid', (text, address) => {
    expect(readProxyAddress(text)).toEqual({ address });
  });

  it('may have a user name and a password with any characters', () => {
    const found = readProxyAddress('http://DOM%5Canna:p%40ss%3Aw%C3%B6rd%2F@proxy.example:3128');
    expect(found).toMatchObject({
      address: {
        host: 'proxy.example:3128',
        authorization: `Basic ${Buffer.from('DOM\\anna:p@ss:wörd/').toString('base64')}`,
      },
    });
  });

  it.each([
    ['socks5://anna:s3cret@proxy.example:1080', /SOCKS/],
    ['ftp://anna:s3cret@proxy.example', /begin with http:\/\/ or https:\/\//],
    ['http://anna:s3cret@', /host and a port/],
    ['http://anna:s3cret@proxy.example:0', /host and a port/],
    ['http://anna:s3cret@proxy.example:99999', /host and a port/],
    ['http://anna:s3cret@proxy.example/path', /path/],
    ['http://anna:s3cret@proxy.example?q', /query/],
    ['http://anna:s3cret%0A@proxy.example', /cannot be sent/],
    ['http://an%3Ana:s3cret@proxy.example', /cannot be sent/],
    ['http://anna:s3cret%E0%A4@proxy.example', /cannot be sent/],
    ['', /host and a port/],
  ])('%s is invalid, and its password is not shown', (text, reason) => {
    const found = readProxyAddress(text);
    expect(found).toEqual({ problem: expect.stringMatching(reason) });
    expect(JSON.stringify(found)).not.toMatch(/s3cret|anna/);
  });
});
