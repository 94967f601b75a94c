import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../plugins/sdk/http.ts';
import { rawClient } from './support/raw-client.ts';
import { answer, startServer } from './support/start-server.ts';

describe('what is not a request', () => {
  it.each([
    ['NONSENSE\r\n\r\n', 400, 'invalid-header'],
    ['GET /v1/x HTTP/1.1\r\nhost: localhost\r\nbad header: x\r\n\r\n', 400, 'invalid-header'],
    [`GET /v1/x HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`, 431, 'header-too-large'],
  ])('is answered as an error, and ends its connection', async (text, status, code) => {
    await using server = await startServer({ execute: () => answer('{}') });
    using client = await rawClient(server.port);
    client.send(text);
    const all = await client.ended;
    expect(all).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const [head = '', body = ''] = all.split('\r\n\r\n');
    expect(head).toMatch(/x-gw-trace-id: [0-9a-f]{32}/);
    expect(JSON.parse(body)).toMatchObject({ error: { code, type: 'invalid_request_error', param: null } });
  });

  it('is never answered in the middle of another answer', async () => {
    let begin = (_sink: Sink): void => {};
    const begun = new Promise<Sink>((resolve) => {
      begin = resolve;
    });
    await using server = await startServer({
      execute: () => answer({ kind: 'stream', start: begin, discard: () => {}, onEnd: () => {} }),
    });
    using client = await rawClient(server.port);
    client.send('GET /v1/x HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n');
    const sink = await begun;
    sink.write(Buffer.from('half'));
    await client.until('half');
    client.send('NONSENSE\r\n\r\n');
    expect(await client.ended).toMatch(/half\r\n$/);
  });
});

describe('the pages of a gateway', () => {
  it.each([
    ['GET', '/', 200, 'This is Gatewright.'],
    ['GET', '/livez', 200, 'alive'],
    ['GET', '/readyz?verbose', 200, '"status":"ready"'],
    ['POST', '/readyz', 405, 'There is no POST of /readyz. Send GET.'],
    ['GET', '/elsewhere', 404, 'unknown-route'],
    ['POST', '/v1/prompts/p/render', 404, 'unknown-route'],
    ['GET', '/v1/policies/rate-limits', 404, 'unknown-route'],
  ])('answer %s %s with %i', async (method, path, status, text) => {
    await using server = await startServer({ execute: () => answer('{}') });
    const response = await fetch(server.origin + path, { method, headers: { 'x-gw-trace-id': 'mine' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-gw-trace-id')).toBe('mine');
    expect(await response.text()).toContain(text);
  });
});
