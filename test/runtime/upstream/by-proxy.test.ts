import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl, makeAuthority } from '../../support/servers/certificates.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type ProxyFault, startProxy } from '../../support/servers/proxy-server.ts';
import { startCertified } from '../../support/servers/tls-server.ts';
import { setUp } from './kit.ts';
import { ask, openByProxy } from './support.ts';

const host = 'models.corp.example';
const answering = (): ReturnType<typeof setUp> => setUp((call) => call.json({ reached: true }));

describe('a host that is called without TLS', () => {
  it('is reached through a tunnel, and receives no credentials of the proxy', async () => {
    const { server } = await answering();
    const proxy = await startProxy({ credentials: 'anna:s3cret!', leadsTo: server.port });
    const upstreams = openByProxy(`http://anna:s3cret%21@127.0.0.1:${proxy.port}`);
    for (let at = 0; at < 2; at += 1) expect(await ask(upstreams, `http://${host}:8080`)).toBe('200 {"reached":true}');
    // One connection serves both requests.
    expect(proxy.asked).toEqual([`${host}:8080`]);
    expect(proxy.heads[0]).toMatch(
      /^CONNECT models\.corp\.example:8080 HTTP\/1\.1\r\nHost: models\.corp\.example:8080\r\n/,
    );
    expect(server.requests.map(({ path }) => path)).toEqual(['/', '/']);
    for (const { head } of server.requests) expect(head).not.toMatch(/proxy|s3cret|YW5uYT/i);
    expect(proxy.passed.toString('latin1')).not.toMatch(/proxy-authorization|s3cret|YW5uYT/i);
  });

  it('is called directly if it is local or NO_PROXY names it, and its address is checked', async () => {
    const { server } = await answering();
    const proxy = await startProxy();
    const trusted = { trustedHosts: ['127.0.0.1', 'localhost'] };
    const upstreams = openByProxy(proxy.url, { ...trusted, env: { NO_PROXY: 'else.example' } });
    expect(await ask(upstreams, server.origin)).toBe('200 {"reached":true}');
    expect(await ask(upstreams, `http://localhost:${server.port}`)).toMatch(/^200/);
    const excluded = openByProxy(proxy.url, {
      env: { NO_PROXY: '.corp.example' },
      lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    expect(await ask(excluded, `http://${host}:${server.port}`)).toMatch(/^address-not-allowed: /);
    expect(proxy.heads).toEqual([]);
  });
});

describe('a host that a caller names', () => {
  it('is refused if the proxy would be used, even if an operator calls the same host', async () => {
    const { server } = await answering();
    const proxy = await startProxy({ leadsTo: server.port });
    const upstreams = openByProxy(proxy.url);
    const origin = `http://${host}:8080`;
    expect(await ask(upstreams, origin)).toMatch(/^200/);
    expect(await ask(upstreams, origin, { operatorHost: false })).toBe(
      'host-behind-proxy: This gateway reaches models.corp.example:8080 through its proxy, so it cannot check the address of a host that a request chooses. The operator can list the host in GW_TRUSTED_HOSTS if that is set, or else under trusted_hosts, or in NO_PROXY.',
    );
    expect(upstreams.findHostError(origin)).toMatchObject({ listable: true, reason: expect.stringContaining('proxy') });
    expect(proxy.asked).toHaveLength(1);
  });

  it('is reached through the proxy if it is trusted', async () => {
    const { server } = await answering();
    const proxy = await startProxy({ leadsTo: server.port });
    const upstreams = openByProxy(proxy.url, { trustedHosts: [`${host}:8080`] });
    expect(await ask(upstreams, `http://${host}:8080`, { operatorHost: false })).toMatch(/^200/);
    expect(await ask(upstreams, `http://${host}:8081`, { operatorHost: false })).toMatch(/^host-behind-proxy/);
    expect(upstreams.findHostError(`http://${host}:8080`)).toBeUndefined();
    expect(proxy.asked).toEqual([`${host}:8080`]);
  });

  it.each(['http://10.0.0.1', 'http://[fd00::1]', 'http://[::ffff:10.0.0.1]', 'http://169.254.169.254'])(
    'cannot be a private address, which an operator does not reach through the proxy either: %s',
    async (origin) => {
      const proxy = await startProxy();
      const upstreams = openByProxy(proxy.url);
      for (const operatorHost of [true, false])
        expect(await ask(upstreams, origin, { operatorHost })).toMatch(/^address-not-allowed/);
      expect(proxy.heads).toEqual([]);
    },
  );
});

describe('a proxy from the environment', () => {
  it('is the one for the scheme, in lower case first, and may be absent', async () => {
    const { server } = await answering();
    const [lower, upper, all] = await Promise.all([
      startProxy({ leadsTo: server.port }),
      startProxy({ leadsTo: server.port }),
      startProxy({ leadsTo: server.port }),
    ]);
    const reached = async (env: Readonly<Record<string, string>>): Promise<readonly number[]> => {
      const before = [lower, upper, all].map(({ asked }) => asked.length);
      await ask(openByProxy('environment', { env }), `http://${host}:8080`);
      return [lower, upper, all].map(({ asked }, at) => asked.length - (before[at] ?? 0));
    };
    expect(await reached({ http_proxy: lower.url, HTTP_PROXY: upper.url, ALL_PROXY: all.url })).toEqual([1, 0, 0]);
    expect(await reached({ http_proxy: '', HTTP_PROXY: upper.url, ALL_PROXY: all.url })).toEqual([0, 1, 0]);
    expect(await reached({ HTTPS_PROXY: upper.url, all_proxy: `127.0.0.1:${all.port}` })).toEqual([0, 0, 1]);
    expect(await reached({ HTTPS_PROXY: upper.url })).toEqual([0, 0, 0]);
    expect(await reached({ ALL_PROXY: all.url, no_proxy: '*' })).toEqual([0, 0, 0]);
  });
});

describe.skipIf(!hasOpenssl)('a host that is called with TLS', () => {
  it('is verified by its own certificate inside the tunnel', async () => {
    const authority = makeAuthority();
    const server = await startCertified({ authority, name: host });
    const proxy = await startProxy({ leadsTo: server.port });
    const trusting = openByProxy(proxy.url, { extraCa: () => readFileSync(authority.file, 'utf8') });
    expect(await ask(trusting, `https://${host}`)).toBe('200 {"data":[]}');
    expect(server.requests.map(({ serverName }) => serverName)).toEqual([host]);
    expect(proxy.asked).toEqual([`${host}:443`]);
    expect(await ask(trusting, 'https://other.corp.example')).toMatch(
      /^connection-failed: .*other\.corp\.example could not be reached: its certificate is for another name\./,
    );
    expect(await ask(openByProxy(proxy.url), `https://${host}`)).toMatch(/^connection-failed: .*its certificate /);
    expect(server.requests).toHaveLength(1);
  });

  it('is reached through a TLS proxy, whose certificate is verified too', async () => {
    const authority = makeAuthority();
    const server = await startCertified({ authority, name: host });
    const proxy = await startProxy({ leadsTo: server.port, secure: authority.issue() });
    const trusting = openByProxy(proxy.url, { extraCa: () => readFileSync(authority.file, 'utf8') });
    expect(await ask(trusting, `https://${host}`)).toBe('200 {"data":[]}');
    expect(await ask(openByProxy(proxy.url), `https://${host}`)).toMatch(
      /^proxy-failed: .*through the proxy localhost:\d+: its certificate /,
    );
    const elsewhere = await startProxy({ leadsTo: server.port, secure: authority.issue({ name: 'else.example' }) });
    const other = openByProxy(elsewhere.url, { extraCa: () => readFileSync(authority.file, 'utf8') });
    expect(await ask(other, `https://${host}`)).toMatch(/^proxy-failed: .*its certificate is for another name\./);
    expect(elsewhere.heads).toEqual([]);
  });

  it('times out if nothing answers in the tunnel', async () => {
    const { server } = await setUp(() => {});
    const proxy = await startProxy({ leadsTo: server.port });
    const upstreams = openByProxy(proxy.url, { connectMs: 300 });
    expect(await ask(upstreams, `https://${host}`)).toMatch(
      /^proxy-failed: .*the TLS connection to the host was not established in time\./,
    );
    await vi.waitFor(() => expect(proxy.connections).toBe(0), patience);
  });
});

describe('a proxy that fails', () => {
  const huge = `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}`;
  it.each<readonly [string, ProxyFault, RegExp]>([
    ['refuses', { answer: 'HTTP/1.1 403 Forbidden\r\n\r\nNo.' }, /it refused to connect to that host \(403\)\./],
    [
      'requires a password',
      { answer: 'HTTP/1.1 407 Who?\r\n\r\n' },
      /it requires a user name and a password \(407\)\./,
    ],
    [
      'sends only part of its answer',
      { answer: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200' },
      /it did not answer in time\./,
    ],
    ['does not send HTTP', { answer: 'SSH-2.0-OpenSSH_9.6\r\n' }, /its answer is not HTTP\./],
    ['sends no status', { answer: 'HTTP/1.1 OK\r\n\r\n' }, /its answer is not HTTP\./],
    ['sends an incomplete huge head', { answer: huge }, /the head of its answer is too large\./],
    ['sends a complete huge head', { answer: `${huge}\r\n\r\n` }, /the head of its answer is too large\./],
    ['sends more than a head', { answer: 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n' }, /has more than a head\./],
    ['closes the connection', 'close', /it closed the connection\./],
    ['resets the connection', 'reset', /the connection was reset\./],
    ['does not answer', 'hang', /it did not answer in time\./],
  ])('because it %s is reported with its address, but not with its password', async (_, fault, reason) => {
    const proxy = await startProxy({ fault });
    const isAsking = /requires/.test(reason.source);
    const user = isAsking ? '' : 'anna:s3cret@';
    const upstreams = openByProxy(`http://${user}127.0.0.1:${proxy.port}`, { connectMs: 400 });
    for (const scheme of ['http', 'https']) {
      const failure = await ask(upstreams, `${scheme}://${host}`);
      expect(failure).toMatch(
        new RegExp(
          `^proxy-failed: The provider at ${host} could not be reached through the proxy 127\\.0\\.0\\.1:${proxy.port}: .*${reason.source}`,
        ),
      );
      expect(failure).not.toMatch(/s3cret|anna|YW5uYT/);
    }
    await vi.waitFor(() => expect(proxy.connections).toBe(0), patience);
  });

  it('because it is unreachable, or rejects the password, is reported', async () => {
    const gone = openByProxy(`http://127.0.0.1:${await freePort()}`);
    expect(await ask(gone, `https://${host}`)).toMatch(/^proxy-failed: .*: the connection was refused\./);
    const proxy = await startProxy({ credentials: 'anna:other' });
    const refused = openByProxy(`http://anna:s3cret@127.0.0.1:${proxy.port}`);
    expect(await ask(refused, `https://${host}`)).toMatch(
      /^proxy-failed: .*: it refused the gateway's user name and password \(407\)\./,
    );
  });

  it('is tried again for the next request', async () => {
    const { server } = await answering();
    const proxy = await startProxy({ fault: 'close', leadsTo: server.port });
    const upstreams = openByProxy(proxy.url);
    expect(await ask(upstreams, `http://${host}`)).toMatch(/^proxy-failed/);
    proxy.become({ fault: undefined });
    expect(await ask(upstreams, `http://${host}`)).toMatch(/^200/);
  });
});
