import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHost } from '../../../runtime/upstream/check-host.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

describe('checkHost', () => {
  it.each([
    'https://api.example.com',
    'https://api.example.com/v1',
    'http://models.example.com:8080/openai/v1',
    'https://8.8.8.8/v1',
    'HTTPS://API.Example.com/v1',
    'https://api.example.com/v1/@scope',
    'https://under_score.example.com/v1',
  ])('accepts %s', (url) => expect(checkHost(url, [])).toBeUndefined());

  it.each([
    ['', 'empty'],
    ['api.example.com', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['gopher://example.com', 'https://'],
    ['https:example.com', 'https://'],
    ['https://user:pw@example.com', 'credentials'],
    ['https://evil.com@example.com/', 'credentials'],
    ['https://example.com\\@evil.com', 'backslash'],
    ['https://example.com/\n', 'control'],
    ['https://exa mple.com/', 'white space'],
    ['https://example.com/?x=1', 'query'],
    ['https://example.com/#x', 'fragment'],
    ['https://exam%70le.com', 'plain host name'],
    ['https://exämple.com', 'plain host name'],
    ['https://xn--exmple-cua.com', 'punycode'],
    ['https://example.com.', 'plain host name'],
    ['https://a..com', 'plain host name'],
    [`https://${'a.'.repeat(10)}com`, 'labels'],
    [`https://example.com/${'a'.repeat(2048)}`, 'longer'],
    ['https://example.com:0', 'port'],
    ['https://example.com:65536', 'port'],
    ['https://example.com:22', 'port 22'],
    ['http://example.com:6379/', 'port 6379'],
    ['http://0.0.0.0', 'not public'],
    ['http://127.0.0.1:8080', 'not public'],
    ['http://10.1.2.3', 'not public'],
    ['http://169.254.169.254/latest', 'not public'],
    ['http://100.100.100.200', 'not public'],
    ['http://2130706433', 'plain host name'],
    ['http://0x7f000001', 'plain host name'],
    ['http://0177.0.0.1', 'plain host name'],
    ['http://127.1', 'plain host name'],
    ['http://134744072', 'plain host name'],
    ['http://[::1]', 'IPv6'],
    ['http://[2606:4700::1111]', 'IPv6'],
    ['http://[::ffff:10.0.0.1]', 'plain host name'],
    ['http://metadata', 'metadata'],
    ['http://metadata.google.internal', 'metadata'],
    ['http://printer.local', '.local'],
    ['http://db.prod.internal', '.internal'],
    ['http://x.localhost', '.localhost'],
    ['http://localhost', 'the name "localhost" is not public'],
    ['http://10.0.0.1.nip.io', '.nip.io'],
    ['http://intranet', 'the name "intranet" is not public'],
    ['http://database', 'without a dot'],
  ])('rejects %j', (url, why) => expect(checkHost(url, [])?.reason).toContain(why));

  it('skips the checks of names and address ranges for hosts that the operator lists', () => {
    const trusted = ['localhost', '127.0.0.1', '::1', 'host.docker.internal', '*.corp.example', '[fd00::1]:8080'];
    for (const url of [
      'http://localhost:11434',
      'http://api.localhost',
      'http://127.0.0.1:9100/v1',
      'http://[::1]:3000',
      'http://[fd00::1]:8080',
      'http://host.docker.internal:8080',
      'http://llm.corp.example',
    ])
      expect(checkHost(url, trusted)).toBeUndefined();
    expect(checkHost('http://[fd00::1]:8081', trusted)?.reason).toContain('IPv6');
    expect(checkHost('http://127.0.0.2', trusted)?.reason).toContain('not public');
  });

  it('skips the check of ports for a listed host, but only for its port if one is listed', () => {
    expect(checkHost('http://localhost:9200', ['localhost'])).toBeUndefined();
    expect(checkHost('http://localhost:9200', ['localhost:9200'])).toBeUndefined();
    expect(checkHost('http://localhost:6379', ['localhost:9200'])?.reason).toContain('port 6379');
    expect(checkHost('https://user@localhost:9200', ['localhost:9200'])?.reason).toContain('credentials');
  });

  it('reports which hosts would be allowed if the operator listed them', () => {
    const hosts = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string());
    const places = fc.oneof(
      hosts,
      hosts.map((host) => `[${host}]`),
      fc.tuple(hosts, fc.nat(65_536)).map((of) => of.join(':')),
    );
    fc.assert(
      fc.property(fc.constantFrom('http', 'https', 'file'), places, (protocol, place) => {
        const url = `${protocol}://${place}/v1`;
        const error = checkHost(url, []);
        const listed = URL.canParse(url) ? [new URL(url).host] : [];
        expect(error === undefined || error.listable).toBe(checkHost(url, listed) === undefined);
      }),
      lawRuns,
    );
  });

  it('never throws, and a URL that it accepts leads to exactly its host', () => {
    const hosts = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string());
    fc.assert(
      fc.property(fc.constantFrom('http', 'https'), hosts, fc.string(), (protocol, host, path) => {
        const url = `${protocol}://${host}/${path}`;
        if (checkHost(url, []) === undefined) expect(new URL(url).hostname).toBe(host.toLowerCase().split(/[:/]/)[0]);
      }),
      lawRuns,
    );
  });
});
