import { expect, it } from 'vitest';
import { actingPlugin, isolate } from './support.ts';

/** One more than the longest timer of Node, which fires at once where it is given more. */
const tooLong = 2 ** 31;

const acts = `
  slow: (input, { timers }) => new Promise((settle) => timers.after(50, () => settle(pass()))),
  late: (input, { timers }) => new Promise((settle) => {
    timers.after(${tooLong}, () => settle(pass({ early: true })));
    timers.after(50, () => settle(pass()));
  }),
`;

it.each(['slow', 'late'])('a check may be given, and may wait, longer than a timer of Node can: %s', async (how) => {
  const { run, log } = await isolate({ 'plugin.mjs': actingPlugin(acts) });
  expect(await run(how, { withinMs: tooLong })).toEqual({ pass: true, data: {} });
  expect(await run('pass')).toEqual({ pass: true, data: {} });
  expect(log).toEqual([]);
});
