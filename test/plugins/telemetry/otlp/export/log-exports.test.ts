import { once } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import { expect, it, onTestFinished } from 'vitest';
import { logExports } from '../../../../../plugins/telemetry/otlp/export/log-exports.ts';

it("failures are logged once, and without the credentials in the receiver's URL", () => {
  const messages: string[] = [];
  const outcomes = [{ code: 1, error: new Error('It is unavailable.') }, { code: 1 }, { code: 0 }];
  const exporter = {
    export: (_: string, done: (outcome: { code: number; error?: Error }) => void) =>
      done(outcomes.shift() ?? { code: 0 }),
  };
  const url = 'https://user:hunter2@receiver.example:4318/otlp/v1/traces?token=hunter3';
  const sends = logExports<string, typeof exporter>(exporter, {
    what: 'traces',
    url,
    log: (text) => messages.push(text),
  });
  for (let at = 0; at < 4; at += 1) sends.export('a batch', () => {});
  expect(messages).toEqual([
    'The traces could not be sent to https://receiver.example:4318/otlp/v1/traces, and are lost until they can be: It is unavailable.',
    'The traces are sent to https://receiver.example:4318/otlp/v1/traces again.',
  ]);
});

const logged = (error: Error): string => {
  const lines: string[] = [];
  const exporter = {
    export: (_: string, done: (outcome: { code: number; error: Error }) => void) => done({ code: 1, error }),
  };
  const log = (text: string): void => void lines.push(text);
  const url = 'http://localhost:4317/v1/traces';
  logExports<string, typeof exporter>(exporter, { what: 'traces', url, log }).export('a batch', () => {});
  return lines.join('');
};

it.each([401, 403])('a receiver that answers %i is reported with advice to check the headers', (code) => {
  expect(logged(Object.assign(new Error('Unauthorized'), { code }))).toMatch(
    /: it answered \d+ \((?:Unauthorized|Forbidden)\)\. The receiver does not accept the credential: check "telemetry\.otlp\.headers" in the gateway file\.$/,
  );
  expect(logged(Object.assign(new Error('Too Many Requests'), { code: 429 }))).toMatch(
    /: it answered 429 \(Too Many Requests\)$/,
  );
});

it.each([301, 302, 307, 308])('a receiver that redirects with %i is reported with advice to change the URL', (code) => {
  expect(logged(Object.assign(new Error('Found'), { code }))).toMatch(
    /: it answered 30\d \([\w ]+\)\. Redirects are not followed: set "telemetry\.otlp\.url" in the gateway file to the new address\.$/,
  );
});

it('an unreachable receiver is reported with advice to start it or to correct the URL', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:4318'), { code: 'ECONNREFUSED' });
  expect(logged(refused)).toMatch(
    /: connect ECONNREFUSED 127\.0\.0\.1:4318\. Start the receiver, or correct "telemetry\.otlp\.url" in the gateway file\.$/,
  );
});

it('a receiver that does not speak HTTP is reported with advice to check the port', () => {
  expect(logged(new Error('Parse Error: Expected HTTP/, RTSP/ or ICE/'))).toMatch(
    /Expected HTTP\/, RTSP\/ or ICE\/\. The server there does not speak HTTP: port 4317 is for gRPC, and port 4318 for HTTP\. Check "telemetry\.otlp\.url"\.$/,
  );
});

it.each([429, 503])(
  'a receiver that answers %i is reported with its status, although the SDK omits it',
  async (status) => {
    const server = createServer((request, response) => {
      request.resume();
      // Too long to wait for, so the SDK gives up immediately.
      response.writeHead(status, { 'retry-after': '3600' }).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1/traces`;
    const lines: string[] = [];
    const log = (text: string): void => void lines.push(text);
    const delegate = createOtlpHttpExportDelegate<object, object>(
      convertLegacyHttpOptions({ url }, 'TRACES', 'v1/traces', {}),
      { serializeRequest: () => new Uint8Array(1), deserializeResponse: () => ({}) },
      'otlp_http_span_exporter',
      { name: 'span', countItems: () => 1 },
      undefined,
    );
    const exporter = logExports<object, typeof delegate>(delegate, { what: 'traces', url, log });
    await new Promise<void>((resolve) => void exporter.export({}, () => resolve()));
    await exporter.shutdown();
    expect(lines).toEqual([
      `The traces could not be sent to ${url}, and are lost until they can be: it answered ${status} (${STATUS_CODES[status]})`,
    ]);
  },
);
