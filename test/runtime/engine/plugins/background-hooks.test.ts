import { describe, expect, it } from 'vitest';
import { BackgroundHooks } from '../../../../runtime/engine/plugins/background-hooks.ts';

const world = (most: { readonly hooks: number; readonly bytes: number }) => {
  const messages: string[] = [];
  const ends: (() => void)[] = [];
  const background = new BackgroundHooks({ log: (text) => messages.push(text), bounds: most });
  const start = (bytes = 1): Promise<void> | undefined =>
    background.start(() => new Promise((settle) => ends.push(settle)), bytes);
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0)) end();
    await new Promise((settle) => setImmediate(settle));
  };
  return { background, messages, ends, start, endAll };
};

describe('hooks in the background', () => {
  it('run up to a limit at once, and the operator is notified once of how many others are dropped', async () => {
    const { messages, ends, start, endAll } = world({ hooks: 2, bytes: 100 });
    for (let count = 0; count < 5; count += 1) void start();
    expect(ends).toHaveLength(2);
    expect(messages).toEqual([
      'Background hooks are being dropped: 2 are already running. Make their checks faster, or shorten their "timeout".',
    ]);
    await endAll();
    expect(messages.slice(1)).toEqual(['3 background hooks were dropped, because too many ran at once.']);
    void start();
    expect(ends).toHaveLength(1);
    expect(messages).toHaveLength(2);
  });

  it('resolve when they have ended, unless they are dropped', async () => {
    const { ends, start, endAll } = world({ hooks: 1, bytes: 100 });
    const order: string[] = [];
    const running = start()?.then(() => order.push('ended'));
    expect(start()).toBeUndefined();
    order.push('dropped');
    expect(ends).toHaveLength(1);
    await endAll();
    await running;
    expect(order).toEqual(['dropped', 'ended']);
  });

  it('hold a limited number of bytes at once, but one of any size can run alone', () => {
    const { ends, start } = world({ hooks: 10, bytes: 100 });
    void start(200);
    void start(1);
    expect(ends).toHaveLength(1);
    const small = world({ hooks: 10, bytes: 100 });
    for (const bytes of [60, 40, 1]) void small.start(bytes);
    expect(small.ends).toHaveLength(2);
  });

  it('count what they receive toward the same number of bytes, until they end', async () => {
    const { background } = world({ hooks: 10, bytes: 100 });
    const begin = () => {
      let end = (): void => {};
      let take = (_bytes: number): boolean => true;
      void background.start((takeMemory) => {
        take = takeMemory;
        return new Promise((settle) => {
          end = settle;
        });
      }, 10);
      return { take: (bytes: number) => take(bytes), end: () => end() };
    };
    const [first, second] = [begin(), begin()];
    expect([first.take(70), second.take(11), second.take(10)]).toEqual([true, false, true]);
    first.end();
    await new Promise((settle) => setImmediate(settle));
    expect([first.take(1), second.take(80), second.take(1)]).toEqual([false, true, false]);
  });

  it('make room if they fail, like any other', async () => {
    const { background, messages } = world({ hooks: 1, bytes: 1 });
    background.start(() => Promise.reject(new Error('boom')), 1);
    await new Promise((settle) => setImmediate(settle));
    background.start(async () => {}, 1);
    expect(messages).toEqual([]);
  });
});
