import { describe, expect, it } from 'vitest';
import { answerBytes } from '../../../../../plugins/control/work/provider-requests/answer-bytes.ts';
import type { Sink, StreamBody, StreamEnd } from '../../../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';

/** Creates a body that `play` sends. All of its chunks share one buffer, which each chunk overwrites. */
const toStream = (play: (sink: Sink, send: (text: string) => void, ended: (end: StreamEnd) => void) => void) => {
  const memory = Buffer.alloc(16);
  const listeners: ((end: StreamEnd) => void)[] = [];
  const body: StreamBody = {
    kind: 'stream',
    start: (sink) =>
      setImmediate(() =>
        play(
          sink,
          (text) => sink.write(memory.subarray(0, memory.write(text))),
          (end) => {
            for (const listener of listeners) listener(end);
          },
        ),
      ),
    discard: () => {},
    onEnd: (listener) => listeners.push(listener),
  };
  return body;
};

const readCode = (body: StreamBody, limit?: number): Promise<string> =>
  answerBytes(body, limit).then(
    (bytes) => bytes.toString(),
    (error) => error.report.code,
  );

describe('an answer that is read as a whole', () => {
  it('has all bytes, even if the memory of each chunk is overwritten', async () => {
    const body = toStream((sink, send, ended) => {
      for (const text of ['one, ', 'two, ', 'three']) send(text);
      sink.end();
      ended('complete');
    });
    expect(await readCode(body)).toBe('one, two, three');
  });

  it.each(['bytes', 'stream'] as const)('is refused if it exceeds its size limit: %s', async (kind) => {
    const stream = toStream((sink, send) => {
      send('four');
      sink.end();
    });
    const body = kind === 'bytes' ? { kind, bytes: Buffer.from('four') } : stream;
    await expect(answerBytes(body, 3)).rejects.toMatchObject({ report: { code: 'answer-too-large' } });
  });

  it('fails with the error of its body', async () => {
    const body = toStream((sink, send, ended) => {
      send('a');
      sink.fail(errorReport('stream-idle', { ms: 5 }));
      ended('failed');
    });
    expect(await readCode(body)).toBe('stream-idle');
  });

  it('is reported as cut if its request is cancelled and its sink is not called', async () => {
    const body = toStream((_, send, ended) => {
      send('a');
      ended('left');
    });
    expect(await readCode(body)).toBe('stream-cut');
  });
});
