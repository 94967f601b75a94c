import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../index.ts';
import { definePlugin, type RunningGateway } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineRoute } from '../../../plugins/sdk/route/define-route.ts';
import type { RouteContext, RouteInput } from '../../../plugins/sdk/route/route-row.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';

const readBytes = async ({ received: { body } }: Pick<RouteInput, 'received'>): Promise<Buffer> => {
  if (body.kind !== 'stream') return Buffer.from(body.kind === 'bytes' ? body.bytes : '');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const isOurs = ({ headers }: RouteContext): boolean => headers.includes('ours');

let running: RunningGateway | undefined;

/** Has files of its own and leaves others to the provider, as the control plane does. */
const drawer = definePlugin({
  name: 'drawer',
  routes: [
    defineRoute({
      method: 'POST',
      path: '/files',
      operationId: 'put_file',
      summary: 'Keeps a file.',
      scope: null,
      shared: true,
      body: 'bytes',
      replies: { 200: { type: 'object' }, default: 'bytes' },
      handle: async ({ received }, context) =>
        isOurs(context)
          ? {
              status: 200,
              body: { type: received.contentType ?? null, bytes: (await readBytes({ received })).length },
            }
          : context.dispatch(
              { method: 'POST', path: '/v1/files', headers: context.headers, received },
              context.principal,
            ),
    }),
    defineRoute({
      method: 'POST',
      path: '/responses',
      operationId: 'respond',
      summary: 'Answers, and says that it did.',
      scope: null,
      shared: true,
      body: { type: 'object', additionalProperties: true },
      replies: { default: 'bytes' },
      handle: async ({ received }, context) => {
        const answer = await context.dispatch(
          { method: 'POST', path: '/v1/responses', headers: context.headers, received },
          context.principal,
        );
        return { ...answer, headers: [...answer.headers, 'x-drawer', 'seen'] };
      },
    }),
  ],
  start: (gateway) => {
    running = gateway;
  },
});

interface Seen {
  readonly line: string;
  readonly type: string | undefined;
  readonly length: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

const seen: Seen[] = [];
const provider = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { authorization, 'content-type': type, 'content-length': length } = request.headers;
  seen.push({ line: `${request.method} ${request.url}`, type, length, authorization, body });
  response.setHeader('content-type', 'application/json');
  response.setHeader('cache-control', 'max-age=5');
  response.end(`{"id":"file-1","output":[]}`);
});

describe('routes that share their first segment', () => {
  let gateway: Gateway;
  let base: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const { port } = provider.address() as AddressInfo;
    const config = { name: 'p', provider: 'openai', api_key: '${env:KEY}', custom_host: `http://127.0.0.1:${port}/v1` };
    gateway = createGateway({
      plan: compileConfig(JSON.stringify(config)),
      secrets: { KEY: 'sk-provider' },
      trustedHosts: ['127.0.0.1'],
      plugins: [drawer],
    });
    base = (await gateway.listen()).baseUrl;
  });
  afterAll(async () => {
    await gateway.close({ drainMs: 0 });
    provider.close();
  });

  const form = (bytes: number): FormData => {
    const data = new FormData();
    data.set('purpose', 'batch');
    data.set('file', new Blob([Buffer.alloc(bytes, 'x')]), 'lines.jsonl');
    return data;
  };

  it('serve their own requests, with bodies of any type', async () => {
    const answer = await fetch(`${base}/files`, { method: 'POST', headers: { 'x-whose': 'ours' }, body: form(70_000) });
    expect(await answer.json()).toMatchObject({
      type: expect.stringMatching(/^multipart\/form-data; boundary=/),
      bytes: expect.any(Number),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('forward a body unchanged with the credential of the plan, and return the answer unchanged', async () => {
    seen.length = 0;
    const answer = await fetch(`${base}/files`, { method: 'POST', body: form(300_000) });
    expect([answer.status, await answer.text()]).toEqual([200, '{"id":"file-1","output":[]}']);
    expect(answer.headers.get('cache-control')).toBe('max-age=5');
    expect(seen).toEqual([
      {
        line: 'POST /v1/files',
        type: expect.stringMatching(/^multipart\/form-data; boundary=/),
        length: String(seen[0]?.body.length),
        authorization: 'Bearer sk-provider',
        body: expect.objectContaining({ length: expect.any(Number) }),
      },
    ]);
    expect(seen[0]?.body.length).toBeGreaterThan(300_000);
  });

  it('forward a body of unknown length', async () => {
    seen.length = 0;
    const headers = { 'content-type': 'application/octet-stream', 'transfer-encoding': 'chunked' };
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(`${base}/files`, { method: 'POST', headers }, ({ statusCode }) =>
        resolve(statusCode),
      );
      request.on('error', reject).write('one ');
      request.end('two');
    });
    expect(status).toBe(200);
    expect(seen.map(({ body, type }) => [body.toString(), type])).toEqual([['one two', 'application/octet-stream']]);
  });

  it('leave everything else below the segment to the provider', async () => {
    seen.length = 0;
    for (const path of ['/files/file-1?x=%31', '/files/file-1/content', '/responses/input_tokens/more'])
      expect((await fetch(base + path)).status, path).toBe(200);
    expect((await fetch(`${base}/files`, { method: 'DELETE' })).status).toBe(200);
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1/files/file-1?x=%31',
      'GET /v1/files/file-1/content',
      'GET /v1/responses/input_tokens/more',
      'DELETE /v1/files',
    ]);
  });

  it('replace a route of a dialect, in every spelling, and dispatch to it', async () => {
    for (const path of ['/responses', '/responses/', '//responses', '/%72esponses', '/../v1/responses']) {
      const answer = await fetch(base + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"model":"m","input":"Hi"}',
      });
      expect([answer.status, answer.headers.get('x-drawer')], path).toEqual([200, 'seen']);
    }
  });

  it('forward no spelling that some servers treat as the same path', async () => {
    for (const path of ['/Files', '/files;a=b', '/files.json', '/RESPONSES'])
      expect((await fetch(base + path)).status, path).toBe(404);
  });

  it('can be called outside of requests by a plugin that was started', async () => {
    const answer = await running?.dispatch({
      traceId: 'own',
      cancellation: { cancelled: false, onCancel: () => () => {} },
    })({ method: 'GET', path: '/v1/files/file-9' }, { tenant: '' } as RouteContext['principal']);
    expect(answer?.status).toBe(200);
    if (answer?.body.kind === 'stream') answer.body.discard();
  });
});
