import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { foreignCaller } from '../../../runtime/access/foreign-caller.ts';
import { isLoopback } from '../../../schema/http/is-loopback.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';

const listens = async (host: string): Promise<boolean> => {
  const server = createServer();
  try {
    await once(server.listen(0, host), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
};

const hasIpv6 = await listens('::1');
const hasAny = hasIpv6 && (await listens('::'));

const start = async (args: readonly string[], settings: object = {}): Promise<GatewayProcess> => {
  const gateway = await startGateway({ args, files: { 'gateway.json': settings } });
  onTestFinished(() => gateway.stop());
  return gateway;
};

/** The status of a request without a body at an address of this machine. */
const ask = (host: string, port: string, headers: Record<string, string> = {}, path = '/readyz'): Promise<number> =>
  new Promise((resolve, reject) => {
    request({ host, port, path, headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe.skipIf(!hasIpv6)('a gateway at an IPv6 address', () => {
  it.each(['::1', '[::1]'])('listens on %s, and prints a URL with brackets', async (host) => {
    const gateway = await start(['--host', host]);
    expect(gateway.origin).toMatch(/^http:\/\/\[::1\]:\d+$/);
    const { port } = new URL(gateway.origin);
    expect(await ask('::1', port, { host: `[::1]:${port}` })).toBe(200);
    await expect(ask('127.0.0.1', port)).rejects.toThrow('ECONNREFUSED');
    expect(
      (
        await fetch(`${gateway.origin}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-gw-provider': 'echo' },
          body: '{"model":"echo","messages":[{"role":"user","content":"Hi!"}]}',
        })
      ).status,
    ).toBe(200);
  });

  it('is reached by gw health', async () => {
    const gateway = await start(['--host', '::1']);
    const { port } = new URL(gateway.origin);
    const { out, code } = await runGw(gateway.folder, ['health', '--host', '::1', '--port', port]);
    expect([out, code]).toEqual([`The gateway at ${gateway.origin} is ready.\n`, 0]);
  });

  it('answers only its own machine without service keys', async () => {
    const { origin } = await start(['--host', '::1']);
    const { port } = new URL(origin);
    expect(await ask('::1', port, { host: 'evil.example' })).toBe(403);
    expect(await ask('::1', port, { host: '[2001:db8::1]' })).toBe(403);
    expect(await ask('::1', port, { host: '[::ffff:127.0.0.1]' })).toBe(200);
    expect(await ask('::1', port, { host: '[::1]', origin: 'http://[::1]:3000' })).toBe(200);
  });

  it('needs service keys, or to be open, at an address that other machines reach', async () => {
    await expect(startGateway({ args: ['--host', '::'] })).rejects.toThrow(/Without service keys/);
  });

  it.skipIf(!hasAny)('listens on all addresses of both families with ::', async () => {
    const gateway = await start(['--host', '::', '--open']);
    expect(gateway.origin).toMatch(/^http:\/\/\[::1\]:\d+$/);
    const { port } = new URL(gateway.origin);
    expect(await ask('::1', port)).toBe(200);
    expect(await ask('127.0.0.1', port)).toBe(200);
  });

  it('serves metrics at an IPv6 address', async () => {
    const gateway = await start(['--host', '::1'], { metrics: { host: '::1', port: 0 } });
    const [, url = ''] = /Metrics are at (http:\/\/\[::1\]:\d+\/metrics)\./.exec(gateway.printed()) ?? [];
    expect((await fetch(url)).status).toBe(200);
  });
});

describe('the loopback of IPv6', () => {
  it.each(['::1', '0:0:0:0:0:0:0:1', '0::0001', '::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:127.9.9.9'])(
    'includes %s',
    (host) => {
      expect(isLoopback(host)).toBe(true);
      expect(foreignCaller(`[${host}]:8787`, `https://[${host}]`)).toBeUndefined();
    },
  );

  it.each([
    '::',
    '::2',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    '::127.0.0.1',
    '2001:db8::1',
    '64:ff9b::7f00:1',
  ])('does not include %s', (host) => {
    expect(isLoopback(host)).toBe(false);
    expect(foreignCaller(`[${host}]`, undefined)).toBe(`the host [${host}]`);
  });
});
