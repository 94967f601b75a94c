import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passOutput } from '../../../../plugins/host/isolation/spawning/pass-output.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const immediate = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('the output of an isolated plugin', () => {
  it('is forwarded at 200 lines per ten seconds, however many lines the plugin writes at once', async () => {
    const stream = new PassThrough();
    const lines: string[] = [];
    passOutput(stream, (line) => lines.push(line));
    stream.write(Array.from({ length: 450 }, (_, at) => `${at}\n`).join(''));
    await immediate();
    expect(lines.length).toBe(200);
    vi.advanceTimersByTime(10_000);
    await immediate();
    expect(lines.length).toBe(400);
    stream.end('the last');
    vi.advanceTimersByTime(10_000);
    await immediate();
    expect(lines.slice(-2)).toEqual(['449', 'the last']);
    expect(lines.length).toBe(451);
  });

  it('is forwarded completely even if the process ends meanwhile', async () => {
    const stream = new PassThrough();
    const lines: string[] = [];
    passOutput(stream, (line) => lines.push(line));
    stream.end('one\ntwo\nthree');
    await immediate();
    await immediate();
    expect(lines).toEqual(['one', 'two', 'three']);
  });
});
