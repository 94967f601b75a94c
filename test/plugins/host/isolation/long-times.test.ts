import { expect, it } from 'vitest';
import { actingPlugin, isolate } from './support.ts';

/** One more than the longest delay of a Node timer. A timer with a longer delay fires immediately. */
const tooLong = 2 ** 31;

const acts = `
  slow: (input, { timers }) => new Promise((settle) => timers.after(50, () => settle(pass()))),
  late: (input, { timers }) => new Promise((settle) => {
    timers.after(${tooLong}, () => settle(pass({ early: true })));
    timers.after(50, () => settle(pass()));
  }),
`;

it.each(['slow', 'late'])(
  'a check can have a time-out and a timer that exceed the longest delay of a Node timer: %s',
  async (how) => {
    const { run, log } = await isolate({ 'plugin.mjs': actingPlugin(acts) });
    expect(await run(how, { withinMs: tooLong })).toEqual({ pass: true, data: {} });
    expect(await run('pass')).toEqual({ pass: true, data: {} });
    expect(log).toEqual([]);
  },
);
