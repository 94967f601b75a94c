import { describe, expect, it } from 'vitest';
import type { CheckRequest } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { Deadlines } from '../../../../runtime/async/deadlines.ts';
import { checkHttp } from '../../../../runtime/engine/guardrail-checks/check-http.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { createCountingCancellation } from '../../../support/in-process/counting-cancellation.ts';
import { createStubUpstreams, type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const begin = (service: StubHandler = () => stubAnswer({}), { callerPlan = false } = {}) => {
  const upstreams = createStubUpstreams(service);
  const clock = createVirtualClock();
  const client = createCountingCancellation();
  const http = checkHttp({
    ports: { upstreams },
    deadlines: new Deadlines(clock),
    callerPlan,
  });
  const send = (request: Partial<CheckRequest> = {}) =>
    clock.settle(
      http
        .send({ url: 'https://scan.test/at', cancellation: client.cancellation, ...request })
        .catch((error: Error) => error.message),
    );
  return { send, upstreams, clock, client };
};

describe('a request of a check', () => {
  it('is a POST without a body and without a content type by default', async () => {
    const { send, upstreams } = begin();
    await send();
    await send({ method: 'GET', headers: { accept: 'text/plain' } });
    expect(upstreams.requests).toEqual([
      { method: 'POST', origin: 'https://scan.test', path: '/at', headers: [], body: { kind: 'none' } },
      {
        method: 'GET',
        origin: 'https://scan.test',
        path: '/at',
        headers: ['accept', 'text/plain'],
        body: { kind: 'none' },
      },
    ]);
  });

  it('has a body of the specified content type, or of JSON by default', async () => {
    const { send, upstreams } = begin();
    await send({ body: '{}', headers: { 'x-key': 'k', 'Content-Type': 'text/plain' } });
    await send({ body: '{}', headers: { 'x-key': 'k' } });
    await send({ body: '{}' });
    expect(upstreams.requests.map(({ headers }) => headers)).toEqual([
      ['x-key', 'k', 'Content-Type', 'text/plain'],
      ['x-key', 'k', 'content-type', 'application/json'],
      ['content-type', 'application/json'],
    ]);
    for (const { body } of upstreams.requests) expect(body).toEqual({ kind: 'bytes', bytes: Buffer.from('{}') });
  });

  it('can use http as well as https, but no user name', async () => {
    const { send, upstreams } = begin();
    await send({ url: 'http://scan.test/at' });
    expect(await send({ url: 'http://user@scan.test/at' })).toBe('The URL must not contain credentials.');
    expect(upstreams.requests).toMatchObject([{ origin: 'http://scan.test' }]);
  });
});

describe('a request that a caller makes a check send', () => {
  const host = 'scan.test:8443';
  const url = `https://${host}/at`;
  const ofCaller = (headers: Readonly<Record<string, string>>) => ({ url, headers });

  it('is rejected if its Host header differs from its URL, which could select an untrusted host', async () => {
    const { send, upstreams } = begin(undefined, { callerPlan: true });
    for (const name of ['host', 'Host'])
      expect(await send(ofCaller({ [name]: 'admin.internal' }))).toBe(
        'The header "host" of the check\'s request names another host than its URL.',
      );
    expect(upstreams.requests).toEqual([]);
    expect(await send(ofCaller({ host }))).toMatchObject({ status: 200 });
  });

  it('can name any host in a header if the operator wrote the check', async () => {
    expect(await begin().send(ofCaller({ host: 'admin.internal' }))).toMatchObject({ status: 200 });
  });
});

describe('the answer to a request of a check', () => {
  it('has its status, headers, bytes and text', async () => {
    const { send } = begin(() => stubAnswer('été', { status: 404, headers: ['x-id', '1'] }));
    expect(await send()).toEqual({
      status: 404,
      headers: ['x-id', '1'],
      bytes: Buffer.from('été'),
      text: 'été',
    });
  });

  it('can be 1 MiB long, or as long as the request specifies', async () => {
    const sized = (size: number, request: Partial<CheckRequest> = {}) =>
      begin(() => stubAnswer('x'.repeat(size))).send(request);
    expect(await sized(1024 * 1024)).toMatchObject({ status: 200 });
    expect(await sized(1024 * 1024 + 1)).toContain('1048576');
    expect(await sized(5, { maxBytes: 4 })).toMatch(/\b4\b/);
    expect(await sized(4, { maxBytes: 4 })).toMatchObject({ status: 200, text: 'xxxx' });
  });

  it('can take five seconds, or as long as the request specifies', async () => {
    const hanging: StubHandler = (_request, scope) =>
      new Promise((settle) =>
        scope.cancellation.onCancel(() =>
          settle({
            kind: 'failure',
            error: errorReport('connection-lost', { host: 'scan.test', reason: 'it was cancelled.' }),
          }),
        ),
      );
    for (const [request, ms] of [
      [{}, 5000],
      [{ timeoutMs: 20 }, 20],
    ] as const) {
      const { send, clock } = begin(hanging);
      expect(await send(request)).toBe(`The request timed out after ${ms} ms.`);
      expect(clock.monotonic()).toBe(ms);
    }
  });

  it('is an error if the service cannot be reached or its answer is too large', async () => {
    const named = { host: 'scan.test', reason: 'it is down.' };
    for (const [error, message] of [
      [errorReport('connection-lost', named), 'The connection to the service at scan.test was lost: it is down.'],
      [errorReport('connection-failed', named), 'The service at scan.test could not be reached: it is down.'],
      [errorReport('answer-too-large', { limit: 9 }), "The service's answer is larger than 9 bytes."],
    ] as const)
      expect(await begin(() => ({ kind: 'failure', error })).send()).toBe(message);
  });

  it('is an error that explains what the operator can do about the service', async () => {
    const host = 'scan.test';
    for (const error of [
      errorReport('address-not-allowed', { host, address: '10.0.0.1' }),
      errorReport('unusable-tls', { host, reason: 'The key is too small.' }),
    ])
      expect(await begin(() => ({ kind: 'failure', error })).send()).toBe(error.message);
  });

  it('leaves neither a timer nor a listener on the client', async () => {
    const failing: StubHandler = () => {
      throw new Error('down');
    };
    for (const service of [() => stubAnswer({}), failing]) {
      const { send, clock, client } = begin(service);
      await send();
      expect([clock.pending, client.listening]).toEqual([0, 0]);
    }
  });
});
