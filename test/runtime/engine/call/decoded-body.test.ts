import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Sink, UpstreamBody } from '../../../../plugins/sdk/http/http.ts';
import { receiveBody } from '../../../../plugins/testkit/route/received-body.ts';
import { DecodedBody } from '../../../../runtime/engine/call/decoded-body.ts';
import { isDecodable } from '../../../../runtime/json-bodies/read/decoder-for.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { StubBody } from '../../../support/in-process/stub-upstreams.ts';
import { recordingSink } from '../../streams/kit.ts';

const plain = Buffer.from('words and words '.repeat(40_000));
const limit = 32 * 1024 * 1024;
const cut = errorReport('connection-lost', { host: 'h', reason: 'reset' });

/** Returns bytes that cannot be compressed, always the same. */
const noise = (length: number): Buffer => {
  let state = 1;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
};

describe('a decoded body', () => {
  it.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
  ])('equals what was encoded (%s)', async (encoding, bytes) => {
    expect(await new DecodedBody(new StubBody(bytes), encoding, 'p').collect(limit)).toEqual(plain);
  });

  it.each([0, 1, 5, 9])('equals what was encoded as deflate without the zlib header (level %i)', async (level) => {
    const bytes = deflateRawSync(plain, { level });
    expect(await new DecodedBody(new StubBody(bytes), 'deflate', 'p').collect(limit)).toEqual(plain);
  });

  it.each([undefined, cut])('fails like its transfer, or is empty, if nothing arrives (%#)', async (error) => {
    const collected = await new DecodedBody(new StubBody(Buffer.alloc(0), error), 'gzip', 'p').collect(limit);
    expect(collected).toEqual(error === undefined ? Buffer.alloc(0) : { kind: 'failure', error });
  });

  it('is supported for the encodings of HTTP, and not for members that every object has', () => {
    expect(['gzip', 'br', 'own', 'constructor'].map(isDecodable)).toEqual([true, true, false, false]);
  });

  it('may not exceed the limit, however small its encoded form is', async () => {
    const body = new StubBody(gzipSync(plain));
    expect(await new DecodedBody(body, 'gzip', 'p').collect(1000)).toMatchObject({
      error: { code: 'answer-too-large' },
    });
    expect(body.discarded).toBe(true);
  });

  it('fails without memory for it, and stops the transfer', async () => {
    const body = new StubBody(gzipSync(plain));
    const collected = await new DecodedBody(body, 'gzip', 'p').collect(limit, () => false);
    expect(collected).toEqual({ kind: 'failure', error: errorReport('overloaded', {}) });
    expect(body.discarded).toBe(true);
  });

  it('is recognised by its first byte, which may follow an empty chunk', async () => {
    const body: UpstreamBody = {
      collect: async () => Buffer.alloc(0),
      discard: () => {},
      start: (sink) => {
        if (!sink.write(Buffer.alloc(0))) return;
        sink.write(deflateRawSync(plain));
        sink.end();
      },
    };
    expect(await new DecodedBody(body, 'deflate', 'p').collect(limit)).toEqual(plain);
  });

  it('fails with the error of the transfer if that was cut off', async () => {
    const body = new StubBody(gzipSync(plain).subarray(0, 100), cut);
    expect(await new DecodedBody(body, 'gzip', 'p').collect(limit)).toEqual({ kind: 'failure', error: cut });
  });

  it('writes nothing after its transfer has failed', async () => {
    const sink = recordingSink();
    new DecodedBody(new StubBody(gzipSync(plain), cut), 'gzip', 'p').start(sink);
    await sink.ended;
    const { writes } = sink;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([sink.error, sink.writes]).toEqual([cut, writes]);
  });

  it('is unreadable if it is not in its encoding, or ends too early', async () => {
    for (const bytes of [Buffer.from('no gzip'), gzipSync(plain).subarray(0, 100)]) {
      const collected = await new DecodedBody(new StubBody(bytes), 'gzip', 'p').collect(limit);
      expect(collected).toMatchObject({ error: { code: 'unreadable-answer' } });
    }
  });

  it('waits for a full sink', async () => {
    const waiting: (() => void)[] = [];
    const pieces: Uint8Array[] = [];
    const whole = new Promise<Buffer>((resolve) => {
      const sink: Sink = {
        write: (chunk) => {
          pieces.push(chunk);
          return false;
        },
        onDrain: (resume) => {
          waiting.push(resume);
          setImmediate(resume);
        },
        end: () => resolve(Buffer.concat(pieces)),
        fail: () => {},
      };
      new DecodedBody(new StubBody(gzipSync(plain)), 'gzip', 'p').start(sink);
    });
    expect(await whole).toEqual(plain);
    expect(waiting.length).toBe(pieces.length);
  });

  it('makes its upstream wait while it is full', async () => {
    const bytes = gzipSync(noise(400_000));
    const half = Math.floor(bytes.length / 2);
    const drains: number[] = [];
    const body: UpstreamBody = {
      collect: async () => Buffer.alloc(0),
      discard: () => {},
      start: (sink) => {
        const rest = (): void => {
          sink.write(bytes.subarray(half));
          sink.end();
        };
        if (sink.write(bytes.subarray(0, half))) rest();
        else
          sink.onDrain(() => {
            drains.push(half);
            rest();
          });
      },
    };
    expect((await receiveBody(new DecodedBody(body, 'gzip', 'p'))).bytes.length).toBe(400_000);
    expect(drains).toEqual([half]);
  });

  it('stops the transfer when it is discarded', () => {
    const body = new StubBody(gzipSync(plain));
    new DecodedBody(body, 'gzip', 'p').discard();
    expect(body.discarded).toBe(true);
  });
});
