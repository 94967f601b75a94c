import { afterEach, describe, expect, it } from 'vitest';
import type { StreamEnd } from '../../../plugins/sdk/http/http.ts';
import { openStream, type StreamTranslation } from '../../../runtime/streams/stream-gate.ts';
import { createUpstreams, type Upstreams } from '../../../runtime/upstream/upstreams.ts';
import { shortestTime, timed } from '../../support/run/shortest-time.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import {
  answered,
  type CancelSource,
  cancelSource,
  get,
  manualClock,
  type RecordingSink,
  recordingSink,
  tiny,
  tinyTranslation,
  toScope,
} from './kit.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close();
});

const setUp = async (handler?: UpstreamHandler): Promise<{ server: TestUpstream; upstreams: Upstreams }> => {
  const server = await startUpstream(handler);
  const upstreams = createUpstreams({ trustedHosts: ['127.0.0.1'] });
  opened.push(server, upstreams);
  return { server, upstreams };
};

const raw = (): StreamTranslation => ({ upstream: tiny, client: tiny });
const translated = (): StreamTranslation => ({ ...raw(), translate: tinyTranslation() });

interface Received {
  /** How the stream ended, or `refused`. */
  readonly end: StreamEnd | 'refused';
  readonly text: string;
}

interface Run {
  readonly server: TestUpstream;
  readonly upstreams: Upstreams;
  readonly translation: StreamTranslation;
  readonly path?: string;
  readonly cancellation?: CancelSource;
  readonly sink?: RecordingSink;
}

const receive = async ({ server, upstreams, translation, path = '/', ...run }: Run): Promise<Received> => {
  const { cancellation = cancelSource(), sink = recordingSink() } = run;
  const upstream = upstreams.open(server.origin, { operatorHost: true });
  const answer = answered(await upstream.send(get(server.origin, path), toScope(cancellation)));
  const stream = await openStream({ body: answer.body, translation, clock: manualClock(), idleMs: 1000, cancellation });
  if (stream.kind === 'refused') return { end: 'refused', text: '' };
  stream.body.start(sink);
  const end = await new Promise<StreamEnd>((resolve) => stream.body.onEnd(resolve));
  return { end, text: sink.text };
};

const frames = ['data: p\n\n', ': note\r\n\r\n', 'data: c:é🎉\n\n', 'data: c:b\n\n', 'data: u\n\n', 'data: z\n\n'];
const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const toChunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Returns the expected result of a stream of which this many complete frames, and possibly a partial one, were sent. */
const toExpected = (whole: number, isTorn: boolean, isTranslated: boolean): Received => {
  if (whole < 3) return { end: 'refused', text: '' };
  const texts = whole === 3 ? ['é🎉'] : ['é🎉', 'b'];
  const sent = isTranslated ? texts.map((text) => `data: C:${text}\n\n`).join('') : frames.slice(0, whole).join('');
  if (whole === frames.length && !isTorn)
    return { end: 'complete', text: isTranslated ? `${sent}data: [DONE]\n\n` : sent };
  return { end: 'failed', text: `${sent}data: ${isTranslated ? 'E' : 'e'}:stream-cut\n\n` };
};

describe('a stream that is cut off', () => {
  it.each([
    { name: 'raw', translation: raw, isTranslated: false },
    { name: 'translated', translation: translated, isTranslated: true },
  ])(
    'at any byte is refused, failed in band or complete, with nothing in between, on the $name translation',
    async ({ translation, isTranslated }) => {
      const chunks = frames.map(toChunk);
      const wire = Buffer.from(`${chunks.join('')}0\r\n\r\n`);
      const borders = chunks.map((_, at) => Buffer.byteLength(chunks.slice(0, at + 1).join('')) - 2);
      const { server, upstreams } = await setUp((call) => {
        const sent = wire.subarray(0, Number(call.request.path.slice(1)));
        call.raw(Buffer.concat([Buffer.from(streamHead), sent]));
        call.cut();
      });
      for (let cut = 0; cut <= wire.length; cut += 1) {
        const received = await receive({ server, upstreams, translation: translation(), path: `/${cut}` });
        const whole = borders.filter((border) => cut >= border).length;
        expect({ cut, ...received }).toEqual({ cut, ...toExpected(whole, false, isTranslated) });
      }
    },
  );
});

describe('a stream over a real socket', () => {
  it('arrives byte for byte, even one byte at a time and with split characters', async () => {
    const { server, upstreams } = await setUp(async (call) => {
      const sse = call.sse();
      for (const byte of Buffer.from(frames.join(''))) {
        sse.send(Buffer.from([byte]));
        await call.drained();
      }
      sse.end();
    });
    expect(await receive({ server, upstreams, translation: raw() })).toEqual({
      end: 'complete',
      text: frames.join(''),
    });
    expect(await receive({ server, upstreams, translation: translated() })).toEqual({
      end: 'complete',
      text: 'data: C:é🎉\n\ndata: C:b\n\ndata: [DONE]\n\n',
    });
  });

  it('ends at its upstream within 100 ms after the client disconnects', async () => {
    const { server, upstreams } = await setUp();
    const leave = async (): Promise<number> => {
      const cancellation = cancelSource();
      const sink = recordingSink();
      const receiving = receive({ server, upstreams, translation: raw(), cancellation, sink });
      const call = await server.nextCall();
      call.sse().frame('c:x');
      await sink.begun;
      cancellation.cancel();
      const ms = await timed(() => call.gone);
      expect((await receiving).end).toBe('left');
      return ms;
    };
    expect(await shortestTime(100, leave)).toBeLessThan(100);
  });

  it('leaves its connection to the next request when it is complete', async () => {
    const { server, upstreams } = await setUp((call) => {
      const sse = call.sse();
      sse.frame('c:x');
      sse.frame('z');
      sse.end();
    });
    for (let round = 0; round < 3; round += 1) {
      expect((await receive({ server, upstreams, translation: raw() })).end).toBe('complete');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.accepted).toBe(1);
  });

  it('keeps memory constant while its reader has stopped', async () => {
    const { server, upstreams } = await setUp();
    const sink = recordingSink();
    sink.full = true;
    const receiving = receive({ server, upstreams, translation: raw(), sink });
    const call = await server.nextCall();
    const sse = call.sse();
    const frame = `data: c:${'x'.repeat(64 * 1024)}\n\n`;
    let sent = 0;
    while (sse.send(frame)) sent += 1;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const taken = sink.bytes.length;
    expect(taken).toBeLessThan(512 * 1024);
    for (; sent < 600; sent += 1) sse.send(frame);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sink.bytes.length).toBe(taken);
    sse.frame('z');
    sse.end();
    sink.drain();
    expect((await receiving).end).toBe('complete');
    expect(sink.bytes.length).toBeGreaterThan(600 * frame.length);
  });
});
