import { describe, expect, it } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { sharedStore } from '../../support/gateways/stored-gateway.ts';
import { browserCall } from './support/browser-call.ts';

const gateway = sharedStore();
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  browserCall(gateway().baseUrl, `${method} ${path}`, { headers });

/** The path of the page's script. */
const script = async (): Promise<string> => /src="([^"]+\.js)"/.exec((await ask('/console')).text)?.[1] ?? '';

describe('the pages of the console', () => {
  it.each(['/console', '/console/', '/console/configs/one', '/console/index.html', '/console/keys?x=.js'])(
    'return the app at %s, and forbid caching and framing',
    async (path) => {
      const { status, headers, text } = await ask(path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(text).toContain('<script type="module"');
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      });
    },
  );

  it('load files with content-based names, compressed if the browser accepts it', async () => {
    const path = await script();
    expect(path).toMatch(/^\/console\/assets\//);
    const plain = await ask(path);
    expect([plain.status, plain.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(plain.text)),
    ]);
    const known = await ask(path, { 'if-none-match': String(plain.headers.etag) });
    expect([known.status, known.text]).toEqual([304, '']);
    const answer = await fetch(new URL(path, gateway().baseUrl), { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect((await answer.text()) === plain.text).toBe(true);
    expect((await ask(path, { 'accept-encoding': 'br;q=0, gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  });

  it.each([
    '/console/../package.json',
    '/console/..%2f..%2fpackage.json',
    '/console/assets/../../../package.json',
    '/console/assets/..%5c..%5cpackage.json',
    '/console/.vite/manifest.json',
    '/console/assets/none.js',
    '/console/assets/none',
    '/console/%00.js',
    '/consoles.js',
    '//evil.example/console',
  ])('return 404 for %s', async (path) => {
    const { status, headers } = await ask(path);
    expect([status, headers.location]).toEqual([404, undefined]);
  });

  it('accept no other method', async () => {
    expect((await ask('/console', {}, 'POST')).status).toBe(405);
    expect((await ask('/console', {}, 'OPTIONS')).status).toBe(204);
  });

  it('do not exist without a store', async () => {
    const plain = await startGateway({});
    try {
      for (const path of ['/console', '/console/session', '/console/assets/x.js'])
        expect((await browserCall(plain.baseUrl, `GET ${path}`)).status).toBe(404);
      expect((await browserCall(plain.baseUrl, 'POST /console/session', { body: {} })).status).toBe(404);
    } finally {
      await plain.stop();
    }
  });
});
