import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import type { StreamEnd } from '../../../../plugins/sdk/http/http.ts';
import {
  ContinuedStream,
  type ContinuedStreamOptions,
  type Next,
} from '../../../../runtime/engine/continued-streams/continued-stream.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { plainFrames } from '../../../support/continued/plain-frames.ts';
import { codec, createBranch, createClient, cut, parts, toBytes } from './scripted-branches.ts';

const begin = (given: Partial<ContinuedStreamOptions> = {}, room?: number) => {
  const first = createBranch();
  const client = createClient(room);
  const reasons: string[] = [];
  const asked: string[] = [];
  const second = createBranch();
  const next: Next = { kind: 'stream', body: second.body, handover: second.handover, path: rootPointer };
  const { ask = async () => next, ...more } = given;
  const stream = new ContinuedStream(first, {
    ...{ parts, takeMemory: undefined, saysUsage: false, isListed: () => true, hasNext: () => true },
    ask: (text, error) => {
      asked.push(`${error.code}: ${text}`);
      return ask(text, error);
    },
    stopped: (reason) => void reasons.push(reason),
    ...more,
  });
  const ends: StreamEnd[] = [];
  stream.onEnd((end) => ends.push(end));
  return { first, second, client, reasons, asked, stream, ends };
};

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const once = toBytes(plainFrames(chat, 'Once upon').slice(0, 2));
const rest = toBytes(plainFrames(chat, ' a time.'));

describe('a stream that may continue', () => {
  it('is passed on as it comes until it breaks', async () => {
    const { first, client, stream, ends, asked } = begin({}, 2);
    stream.start(client.sink);
    expect([first.sink.write(once), first.sink.write(rest)]).toEqual([true, false]);
    let isResumed = false;
    first.sink.onDrain(() => {
      isResumed = true;
    });
    client.resumes[0]?.();
    first.sink.trailer?.('x-a', 'b');
    first.sink.end();
    first.finish('complete');
    await settle();
    expect(client.events).toEqual([once.toString(), rest.toString(), 'x-a: b', '<end>']);
    expect([isResumed, ends, asked]).toEqual([true, ['complete'], []]);
  });

  it('ends as its branch does', () => {
    for (const end of ['complete', 'failed', 'left'] as const) {
      const { first, client, stream, ends } = begin();
      stream.start(client.sink);
      first.sink.fail(cut);
      first.finish(end);
      expect([ends, client.events]).toEqual([[end], ['<stream-cut>']]);
    }
  });

  it('discards its branch if it is discarded', () => {
    const { first, stream, ends } = begin();
    stream.discard();
    expect([first.isDiscarded, ends]).toEqual([true, ['left']]);
  });

  it('passes on an error that no other branch can avoid', async () => {
    const { first, client, stream, reasons, ends } = begin();
    stream.start(client.sink);
    first.sink.write(once);
    first.break(errorReport('checks-failed', { phase: 'answer' }));
    await settle();
    expect(client.events).toEqual([once.toString(), 'last', '<end>']);
    expect([reasons, ends]).toEqual([[], ['failed']]);
  });
});

describe('a stream that breaks', () => {
  it('continues at another branch, with the room of its client', async () => {
    const { first, second, client, stream, asked, ends, reasons } = begin({}, 2);
    stream.start(client.sink);
    first.sink.write(once);
    first.break();
    await settle();
    expect(asked).toEqual(['stream-cut: Once upon']);
    expect([second.sink.write(Buffer.from(': a comment\n\n')), second.sink.write(rest)]).toEqual([true, false]);
    second.sink.onDrain(() => {});
    expect(client.resumes).toHaveLength(1);
    second.sink.trailer?.('x-a', 'b');
    second.sink.end();
    expect(client.events).not.toContain('<end>');
    second.finish('complete');
    expect(client.events.join('')).toMatch(/a time\..*\[DONE\]\n\nx-gw-continued: config<end>$/s);
    expect(client.events).toContain('x-a: b');
    expect([ends, reasons]).toEqual([['complete'], []]);
  });

  it('is aborted if the transfer of the other branch is', async () => {
    const { first, second, client, stream, ends } = begin();
    stream.start(client.sink);
    first.sink.write(once);
    first.break();
    await settle();
    second.sink.fail(errorReport('stream-idle', { ms: 1 }));
    second.finish('left');
    expect(client.events.slice(1)).toEqual(['<stream-idle>']);
    expect(ends).toEqual(['left']);
  });

  it('breaks again if what the other branch sends cannot be read', async () => {
    let left = 1;
    let decoders = 0;
    const streamDecoder: typeof codec.streamDecoder = (options) => {
      decoders += 1;
      if (decoders === 1) return codec.streamDecoder(options);
      const push = (): never => {
        throw new Error('It is no chunk');
      };
      return { push, end: () => [] };
    };
    const { first, second, client, stream, reasons, ends } = begin({
      parts: { ...parts, codec: { ...codec, streamDecoder } },
      hasNext: () => {
        left -= 1;
        return left >= 0;
      },
    });
    stream.start(client.sink);
    first.sink.write(once);
    first.break();
    await settle();
    for (let time = 0; time < 2; time += 1) expect(second.sink.write(rest)).toBe(true);
    await settle();
    expect([second.isDiscarded, reasons, ends]).toEqual([true, ['no-branch'], ['failed']]);
    const [, ...sent] = client.events;
    expect(sent.join('')).toMatch(
      /^data: \{"error":.*It is no chunk\..*unreadable-answer.*x-gw-continued: config<end>$/s,
    );
    expect(sent.join('')).not.toContain('a time.');
  });

  it.each<[string, Partial<ContinuedStreamOptions>, string]>([
    ['its error is not among the triggers', { isListed: () => false }, 'not-listed'],
    ['no branch is left', { hasNext: () => false }, 'no-branch'],
    ['there is no memory for its beginning', { takeMemory: () => false }, 'too-long'],
    ['its client cannot be written to', { parts: undefined }, 'unreadable'],
    ['the next branch refuses', { ask: async () => ({ kind: 'not', reason: 'refused' }) }, 'refused'],
    ['the next branch fails', { ask: () => Promise.reject(new Error('It is broken.')) }, 'unreadable'],
    ['it did not when it was recorded', { recordedReason: () => 'refused' }, 'refused'],
  ])('ends with its own error if %s', async (_, given, reason) => {
    const { first, client, stream, reasons, ends } = begin(given);
    stream.start(client.sink);
    const long = Buffer.alloc(given.takeMemory === undefined ? 0 : 100_000, ': a comment\n\n');
    for (const chunk of [once, long]) first.sink.write(chunk);
    first.break();
    await settle();
    expect(client.events.slice(2)).toEqual(['last', '<end>']);
    expect([reasons, ends]).toEqual([[reason], ['failed']]);
  });

  it('is complete if its request allows no more tokens', async () => {
    for (const given of [
      { ask: async () => ({ kind: 'not', reason: 'length' }) as const },
      { recordedReason: () => 'length' as const },
    ]) {
      const { first, client, stream, reasons, ends } = begin(given);
      stream.start(client.sink);
      first.sink.write(once);
      first.break();
      await settle();
      expect(client.events.join('')).toMatch(/"finish_reason":"length".*\[DONE\]\n\n<end>$/s);
      expect([reasons, ends]).toEqual([['length'], ['complete']]);
    }
  });

  it('continues in a replay as it did when it was recorded', async () => {
    const { first, stream, client, asked } = begin({ recordedReason: () => undefined });
    stream.start(client.sink);
    first.sink.write(once);
    first.break();
    await settle();
    expect(asked).toHaveLength(1);
  });

  it('is aborted without an error event once nobody waits for it', async () => {
    const { first, client, stream, reasons, ends } = begin({ ask: async () => ({ kind: 'over' }) });
    stream.start(client.sink);
    first.sink.write(once);
    first.break();
    await settle();
    expect(client.events.slice(1)).toEqual(['<stream-cut>']);
    expect([reasons, ends]).toEqual([[], ['left']]);
  });

  it('is offered to an outer fallback before it ends with its error', async () => {
    const { first, client, stream } = begin({ hasNext: () => false });
    const broken: string[] = [];
    stream.handover.take = ({ error, last }) => {
      broken.push(error.code, Buffer.from(last).toString());
      return true;
    };
    stream.start(client.sink);
    first.sink.write(once);
    first.break();
    await settle();
    expect(broken).toEqual(['stream-cut', 'last']);
    expect(client.events).toEqual([once.toString(), '<end>']);
  });
});

describe('the usage of a stream that continues', () => {
  it('is that of all its branches, for its caller and for an outer fallback', async () => {
    for (const saysUsage of [true, false]) {
      const { first, second, client, stream } = begin({ saysUsage });
      stream.start(client.sink);
      first.sink.write(once);
      first.break();
      await settle();
      second.sink.write(rest);
      second.finish('complete');
      expect(stream.handover.source.counts()).toEqual({ input: 4, output: 6 });
      expect(stream.handover.source.records()).toHaveLength(2);
      expect(client.events.join('').includes(': x-gw-usage ')).toBe(saysUsage);
    }
  });
});
