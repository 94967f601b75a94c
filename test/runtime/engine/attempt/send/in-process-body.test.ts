import { describe, expect, it } from 'vitest';
import type { Sink, UpstreamBody, UpstreamFailure } from '../../../../../plugins/sdk/http/http.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import { inProcessBody } from '../../../../../runtime/engine/attempt/send/in-process-body.ts';
import { isUnsent } from '../../../../../runtime/engine/attempt/send/is-unsent.ts';
import { whileRunning } from '../../../../../runtime/engine/attempt/send/while-running.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';

const ended: UpstreamFailure = { kind: 'failure', error: errorReport('stream-idle', { ms: 1 }) };
const bytes = Buffer.from('bytes');
const boom = new Error('boom');
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A body of a plugin as the gateway reads it. `body` replaces its methods, also by ones that are not typed. */
const wrap = (body: { readonly [method in keyof UpstreamBody]?: unknown }) => {
  const { cancellation, cancel } = createCancellation();
  const thrown: unknown[] = [];
  let discards = 0;
  const whole = {
    ...{ collect: () => bytes, start: () => {} },
    discard: () => {
      discards += 1;
    },
    ...body,
  } as unknown as UpstreamBody;
  const attempt = { scope: cancellation, ended: () => ended, threw: (error: unknown) => void thrown.push(error) };
  return { body: inProcessBody(whole, attempt), cancel, thrown, discards: () => discards };
};

const createSink = (): { readonly sink: Sink; readonly events: string[] } => {
  const events: string[] = [];
  const sink: Sink = {
    write: (chunk) => events.push(Buffer.from(chunk).toString()) > 0,
    onDrain: () => {},
    end: () => void events.push('<end>'),
    fail: ({ code }) => void events.push(`<${code}>`),
  };
  return { sink, events };
};

describe('the body of an in-process provider', () => {
  it('is collected within the limits of the gateway, whether that takes time or not', async () => {
    const take = (): boolean => true;
    const given: unknown[] = [];
    for (const result of [bytes, Promise.resolve(bytes)]) {
      const collect = (...all: unknown[]): unknown => {
        given.push(all);
        return result;
      };
      const { body, discards } = wrap({ collect });
      expect(await body.collect(7, take)).toBe(bytes);
      expect(discards()).toBe(0);
    }
    expect(given).toEqual([
      [7, take],
      [7, take],
    ]);
  });

  it('is discarded when its attempt ends before it was collected', async () => {
    const { body, cancel, discards } = wrap({ collect: () => new Promise(() => {}) });
    const collected = body.collect(7);
    cancel();
    expect(await collected).toBe(ended);
    expect(discards()).toBe(1);
  });

  it('fails as it does while it is collected', async () => {
    await expect(wrap({ collect: () => Promise.reject(boom) }).body.collect(7)).rejects.toBe(boom);
  });

  it('writes to the sink of the gateway, also if it is async', async () => {
    const write = (sink: Sink): void => {
      sink.write(bytes);
      sink.end();
    };
    for (const start of [write, async (sink: Sink) => write(sink)]) {
      const { sink, events } = createSink();
      const { body, thrown } = wrap({ start });
      body.start(sink);
      await settle();
      expect([events, thrown]).toEqual([['bytes', '<end>'], []]);
    }
  });

  it('is cut if it throws while it writes, and the error is reported', async () => {
    const fail = (sink: Sink): never => {
      sink.write(bytes);
      throw boom;
    };
    for (const start of [fail, async (sink: Sink) => fail(sink)]) {
      const { sink, events } = createSink();
      const { body, thrown } = wrap({ start });
      body.start(sink);
      await settle();
      expect([events, thrown]).toEqual([['bytes', '<stream-cut>'], [boom]]);
    }
  });

  it('is discarded if the gateway does not want it', () => {
    const { body, discards } = wrap({});
    body.discard();
    expect(discards()).toBe(1);
  });
});

describe('what an attempt waits for', () => {
  it('is waited for until it settles or the attempt ends', async () => {
    const { cancellation, cancel } = createCancellation();
    expect(await whileRunning(cancellation, Promise.resolve(7))).toBe(7);
    await expect(whileRunning(cancellation, Promise.reject(boom))).rejects.toBe(boom);
    const waiting = whileRunning(cancellation, new Promise(() => {}));
    cancel();
    expect(await waiting).toBeUndefined();
  });

  it('leaves no listener behind once it has settled', async () => {
    let listeners = 0;
    const scope = {
      cancelled: false,
      onCancel: () => {
        listeners += 1;
        return () => {
          listeners -= 1;
        };
      },
    };
    await whileRunning(scope, Promise.resolve(7));
    await whileRunning(scope, Promise.reject(boom)).catch(() => {});
    await settle();
    expect(listeners).toBe(0);
  });
});

describe('a failure', () => {
  it.each([
    errorReport('connection-failed', { host: 'h', reason: 'It is.' }),
    errorReport('proxy-failed', { host: 'h', proxy: 'p', reason: 'It is.' }),
    errorReport('pool-full', { host: 'h' } as never),
    errorReport('address-not-allowed', { host: 'h' } as never),
    errorReport('host-behind-proxy', { host: 'h' } as never),
    errorReport('unusable-tls', { host: 'h' } as never),
  ])('means that nothing was sent if it precedes the request: $code', (report) => {
    expect(isUnsent(report)).toBe(true);
  });

  it('does not mean that if the connection was lost', () => {
    expect(isUnsent(errorReport('connection-lost', { host: 'h', reason: 'It is.' }))).toBe(false);
  });
});
