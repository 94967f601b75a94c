import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawClient } from '../../runtime/server/support/raw-client.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway({
    files: {
      'gateway.json': { configs: 'configs', default_config: 'polite', providers: { saved: { provider: 'echo' } } },
      'configs/polite.json': {
        provider: 'echo',
        retry: { attempts: 0 },
        input_guardrails: [{ 'default.contains': { operator: 'none', words: ['x'] }, deny: true }],
      },
    },
    env: { GW_LOG: 'requests' },
  });
});
afterAll(() => gateway.stop());

const junk = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\t',
    '%',
    '%zz',
    '../',
    '[',
    '{}',
    '-1',
    '1e9',
    '__proto__',
  ),
);
const method = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT', 'QUERY'),
  },
  junk,
);
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '/v1/chat/completions',
      '/v1/messages',
      '/v1/embeddings',
      '/v1/models',
      '/readyz',
      '/',
      '*',
    ),
  },
  fc.tuple(fc.constantFrom('/v1/', '/v1/proxy/', '//', 'http://', '/'), junk).map((parts) => parts.join('')),
);
const json = fc.json({ maxDepth: 4 });
const value = fc.oneof(
  junk,
  json,
  fc.constantFrom(
    '{"provider":"echo"}',
    '{"provider":"@saved","cache":{"mode":"simple"}}',
    '{"strategy":{"mode":"fallback"},"targets":[{"provider":"echo"},{"provider":"echo"}]}',
    '@saved',
    'echo',
    'polite',
    'Bearer k',
    'chunked',
    'gzip',
    '100-continue',
    'application/json',
    'http://127.0.0.1:1',
    '[1,2]',
    '999999999',
    'upgrade',
    'websocket',
  ),
);
const names = [
  ...['x-gw-config', 'x-gw-provider', 'x-gw-virtual-key', 'x-gw-custom-host', 'x-gw-metadata', 'x-gw-trace-id'],
  ...[
    'x-gw-forward-headers',
    'x-gw-request-timeout',
    'x-gw-strict-llmv-compliance',
    'x-gw-cloudb-service-account-json',
  ],
  ...[
    'x-gw-clouda-resource-name',
    'authorization',
    'x-api-key',
    'content-type',
    'content-encoding',
    'expect',
    'origin',
  ],
  ...['connection', 'upgrade', 'te', 'trailer', 'traceparent', 'transfer-encoding', 'content-length', 'host'],
];
const header = fc
  .tuple(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, junk), value)
  .map((pair) => pair.join(': '));
const body = fc.oneof(
  json,
  junk,
  fc
    .record({
      model: junk,
      stream: fc.boolean(),
      max_tokens: fc.integer(),
      messages: fc.array(
        fc.record({ role: fc.constantFrom('user', 'system', 'tool', 'x'), content: fc.oneof(junk, fc.jsonValue()) }),
      ),
    })
    .map((made) => JSON.stringify(made)),
);
const request = fc
  .tuple(method, path, fc.array(header, { maxLength: 6 }), body, fc.constantFrom('length', 'chunks', 'none', 'wrong'))
  .map(([verb, target, lines, text, framing]) => {
    const bytes = Buffer.byteLength(text);
    const length =
      framing === 'length' ? [`content-length: ${bytes}`] : framing === 'wrong' ? [`content-length: ${bytes + 3}`] : [];
    const chunked = framing === 'chunks' ? ['transfer-encoding: chunked'] : [];
    const sent = framing === 'chunks' ? `${bytes.toString(16)}\r\n${text}\r\n0\r\n\r\n` : text;
    return `${verb} ${target} HTTP/1.1\r\n${['host: localhost', ...lines, ...length, ...chunked].join('\r\n')}\r\n\r\n${sent}`;
  });

/** Requests, requests cut at any place, and two requests in a row. */
const noise = fc.oneof(
  { weight: 6, arbitrary: request },
  fc.tuple(request, fc.nat()).map(([text, at]) => text.slice(0, at % text.length)),
  fc.tuple(request, request).map((both) => both.join('')),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

it('stays alive and keeps answering during many malformed requests', async () => {
  const port = Number(new URL(gateway.origin).port);
  const texts = fc.sample(noise, { seed: 20_261_120, numRuns: Number(process.env.NOISE_RUNS ?? 1000) });
  const send = async (text: string, at: number): Promise<void> => {
    const client = await rawClient(port);
    client.send(text);
    // Half of the connections wait for an answer, or for what the gateway does when they stay silent.
    if (at % 2 === 0) client.socket.end();
    else client.socket.destroySoon();
    await Promise.race([client.ended, client.until('\r\n\r\n')]);
    client.socket.destroy();
  };
  const lanes = 20;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let at = lane; at < texts.length; at += lanes) await send(texts[at] ?? '', at);
    }),
  );
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"model":"echo","messages":[{"role":"user","content":"still here"}]}',
  });
  expect(await answer.text()).toContain('still here');
  expect(gateway.printed()).not.toMatch(/^\s+at .*:\d+:\d+/m);
  const causes = new Set(gateway.records().map(({ cause }) => cause));
  expect(causes).not.toContain('internal-error');
});
