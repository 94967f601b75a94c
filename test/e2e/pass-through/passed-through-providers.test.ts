import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passedThroughProviders } from '../../../plugins/providers/passed-through/rows.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { type ReceivedRequest, startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const key = 'key-of-the-test';

interface Sample {
  /** The path that the client writes after the gateway's `/v1`, and the one that the service receives. */
  readonly request: readonly [method: string, path: string];
  readonly sent: string;
  /** The header with the key. A bearer token by default. */
  readonly header?: string;
}

const samples: Readonly<Record<string, Sample>> = {
  meshy: { request: ['POST', '/v2/text-to-3d'], sent: '/openapi/v2/text-to-3d' },
  milvus: { request: ['POST', '/v2/vectordb/entities/search'], sent: '/v2/vectordb/entities/search' },
  nomic: { request: ['POST', '/embedding/text'], sent: '/v1/embedding/text' },
  palm: {
    request: ['POST', '/models/text-bison-001:generateText'],
    sent: '/v1beta3/models/text-bison-001:generateText',
    header: 'x-goog-api-key',
  },
  qdrant: {
    request: ['PUT', '/qdrant/collections/c/points?wait=true'],
    sent: '/collections/c/points?wait=true',
    header: 'api-key',
  },
  'recraft-ai': { request: ['POST', '/images/vectorize'], sent: '/v1/images/vectorize' },
  replicate: { request: ['POST', '/models/o/m/predictions'], sent: '/v1/models/o/m/predictions' },
  segmind: { request: ['POST', '/flux-schnell'], sent: '/v1/flux-schnell', header: 'x-api-key' },
  'stability-ai': {
    request: ['POST', '/v2beta/stable-image/generate/core'],
    sent: '/v2beta/stable-image/generate/core',
  },
  tripo3d: { request: ['POST', '/task'], sent: '/v2/openapi/task' },
};

/** Returns the headers that services read a key from, with their values. */
const keyHeaders = (request: ReceivedRequest): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'].flatMap((name) => {
      const value = request.header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

let gateway: GatewayProcess;
let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream((call) => call.json({ id: 'job-1', status: 'starting' }, { status: 201 }));
  gateway = await startGateway({
    files: {
      'gateway.json': {
        providers: Object.fromEntries(
          passedThroughProviders.map(({ id, baseUrl = '' }) => [
            id,
            {
              provider: id,
              credential: { api_key: `\${env:KEY}` },
              settings: {
                custom_host:
                  upstream.origin + (typeof baseUrl === 'string' ? baseUrl.replace(/^https:\/\/[^/]+/, '') : ''),
              },
            },
          ]),
        ),
      },
    },
    args: ['--config', 'gateway.json'],
    env: { KEY: key },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe.each(passedThroughProviders.map((provider) => [provider.id] as const))('%s', (id) => {
  const {
    request: [method, path],
    sent,
    header = 'authorization',
  } = samples[id] ?? expect.unreachable();

  it('gets a request byte for byte, with its own credential only in its own header', async () => {
    const body = '{ "prompt":"a",  "n" : 1 }';
    const answered = await fetch(`${gateway.baseUrl}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-gw-config': JSON.stringify({ provider: `@${id}` }),
        'x-api-key': 'of-the-client',
      },
      body,
    });
    expect([answered.status, await answered.json()]).toEqual([201, { id: 'job-1', status: 'starting' }]);
    const received = upstream.requests.at(-1) ?? expect.unreachable();
    expect(`${received.method} ${received.path}`).toBe(`${method} ${sent}`);
    expect(received.text()).toBe(body);
    expect(keyHeaders(received)).toEqual({ [header]: header === 'authorization' ? `Bearer ${key}` : key });
  });

  it('rejects chats with a hint that its own paths are passed through', async () => {
    const before = upstream.requests.length;
    const answered = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify({ provider: `@${id}` }) },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect([answered.status, await answered.text()]).toEqual([501, expect.stringContaining('passed through')]);
    expect(upstream.requests.length).toBe(before);
  });
});
