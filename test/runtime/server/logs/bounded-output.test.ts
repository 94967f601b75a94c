import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { boundedOutput } from '../../../../runtime/server/logs/bounded-output.ts';

/** Creates an output to a stream whose reader takes a chunk on request. */
const start = () => {
  const read: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      waiting.push(() => {
        read.push(String(chunk));
        done();
      });
    },
  });
  const output = boundedOutput({ stream, lost: (count) => `${count} lost`, bytes: 10 });
  const readAll = async (): Promise<void> => {
    for (let take = waiting.shift(); take !== undefined; take = waiting.shift()) {
      take();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { output, stream, read: () => read.filter((text) => text !== ''), readAll };
};

describe('a bounded output', () => {
  it('keeps what fits, drops what follows, and reports how many texts were dropped', async () => {
    const { output, read, readAll } = start();
    for (const text of ['one two ', 'three', 'four', 'five']) output.write(text);
    await readAll();
    expect(read()).toEqual(['one two ', 'three', '2 lost']);
    output.write('six');
    await readAll();
    expect(read()).toEqual(['one two ', 'three', '2 lost', 'six']);
  });

  it('counts from zero again after each time that nothing was read', async () => {
    const { output, read, readAll } = start();
    for (let round = 0; round < 2; round += 1) {
      for (const text of ['one two three', 'four']) output.write(text);
      await readAll();
    }
    expect(read()).toEqual(['one two three', '1 lost', 'one two three', '1 lost']);
  });

  it('counts texts that could not be written, and reports them when writing succeeds again', async () => {
    let isFull = true;
    const read: string[] = [];
    // Like standard output, it is written to again after an error.
    const stream = {
      ...{ destroyed: false, writableLength: 0 },
      write: (text: string, done?: (error?: Error) => void): boolean => {
        if (!isFull) read.push(text);
        setImmediate(() => done?.(isFull ? new Error('no space') : undefined));
        return true;
      },
    } as Writable;
    const output = boundedOutput({ stream, lost: (count) => `${count} lost` });
    const write = async (text: string): Promise<void> => {
      output.write(text);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    };
    await write('one');
    await write('two');
    isFull = false;
    await write('three');
    await write('four');
    expect(read).toEqual(['three', '2 lost', 'four']);
    expect(output.dropped()).toBe(2);
  });

  it('is flushed when everything was read, or can no longer be read', async () => {
    const { output, stream, readAll } = start();
    await output.flushed();
    output.write('one');
    let isFlushed = false;
    const flushed = output.flushed().then(() => {
      isFlushed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isFlushed).toBe(false);
    await readAll();
    await flushed;
    output.write('two');
    stream.destroy();
    await output.flushed();
  });
});
