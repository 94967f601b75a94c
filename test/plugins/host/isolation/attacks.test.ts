import { describe, expect, it } from 'vitest';
import { whenAnswered } from '../../../../plugins/host/isolation/when-answered.ts';
import { actingPlugin, type Isolated, isolate } from './support.ts';

const acts = `
  loop: () => { for (;;); },
  spin: async () => { for (;;) await undefined; },
  hang: () => new Promise(() => {}),
  heap: () => { const kept = []; for (;;) kept.push({ a: new Array(1000).fill(kept.length) }); },
  buffers: () => { const kept = []; for (;;) kept.push(Buffer.alloc(4 << 20, 1)); },
  exit: () => process.exit(3),
  abort: () => process.abort(),
  timer: () => { setTimeout(() => { throw new Error('thrown in a timer'); }, 1); return new Promise(() => {}); },
  nonsense: () => { fs.writeSync(3, 'nonsense\\n'); return new Promise(() => {}); },
  number: () => { fs.writeSync(3, '7\\n'); return new Promise(() => {}); },
  endless: () => { const part = 'x'.repeat(1 << 16); for (;;) try { fs.writeSync(3, part); } catch {} },
  closes: () => { fs.closeSync(3); return new Promise(() => {}); },
`;

const restarted = async ({ run, log }: Isolated): Promise<void> => {
  await expect.poll(() => log.join('\n')).toContain('It is started again in 100 ms.');
  await expect.poll(() => run('pass')).toEqual({ pass: true, data: {} });
};

describe('an isolated check that', () => {
  it.each([
    ['loops', 'loop', 'the check ran on after its time of 200 ms was over'],
    ['loops over promises', 'spin', 'the check ran on after its time of 200 ms was over'],
    ['never answers', 'hang', 'the check ran on after its time of 200 ms was over'],
  ])('%s is told of at its time-out, and its process is replaced', async (_, how, why) => {
    const isolated = await isolate({ 'plugin.mjs': actingPlugin(acts) });
    expect(await isolated.run(how, { withinMs: 200 })).toBe(
      'The check "bad.act" of the isolated plugin "./plugin.mjs" did not answer within 200 ms.',
    );
    await restarted(isolated);
    expect(isolated.log[0]).toBe(
      `The process of the isolated plugin "./plugin.mjs" ended while its check "bad.act" ran: ${why}. It is started again in 100 ms.`,
    );
  });

  it.each([
    ['fills buffers', 'buffers', /it used \d+ MiB of memory, and 128 MiB is the most/],
    ['fills the heap', 'heap', /it used \d+ MiB of memory, and 128 MiB is the most|it was ended by SIGABRT/],
    ['ends the process', 'exit', /it ended with exit code 3/],
    ['aborts the process', 'abort', /it was ended by SIGABRT/],
    ['throws in a timer', 'timer', /it ended with exit code 1/],
    ['writes nonsense to the gateway', 'nonsense', /it sent a message that is not JSON/],
    ['writes JSON that is no message', 'number', /it sent something that is not a message/],
    ['writes without end', 'endless', /it sent a message of more than \d+ characters/],
  ])('%s fails alone, and its process is replaced', async (_, how, why) => {
    const isolated = await isolate({ 'plugin.mjs': actingPlugin(acts) }, { memory_mb: 128 });
    const message = await isolated.run(how, { withinMs: 20_000 });
    expect(message).toMatch(why);
    expect(message).toContain(
      'The process of the isolated plugin "./plugin.mjs" ended while its check "bad.act" ran: ',
    );
    await restarted(isolated);
  });

  it('closes its channel is ended', async () => {
    const isolated = await isolate({ 'plugin.mjs': actingPlugin(acts) });
    expect(await isolated.run('closes', { withinMs: 200 })).toMatch(/did not answer within 200 ms|ended while/);
    await restarted(isolated);
  });

  it('throws in a timer has its stack printed for the operator', async () => {
    const isolated = await isolate({ 'plugin.mjs': actingPlugin(acts) });
    await isolated.run('timer');
    await expect
      .poll(() => isolated.log)
      .toContain('The isolated plugin "./plugin.mjs" printed: Error: thrown in a timer');
  });

  it.each([
    ['loops', 'for (;;);', 'it did not say within 2 seconds whether it accepts its parameters'],
    ['ends the process', 'process.exit(3);', 'it ended with exit code 3'],
  ])('%s where it is asked of its parameters has a fault of these, and is named', async (_, code, why) => {
    const isolated = await isolate({
      'plugin.mjs': actingPlugin(acts).replace(
        'create:',
        `faults: ({ how }) => { if (how === 'asked') { ${code} } return []; }, create:`,
      ),
    });
    const [plugin] = isolated.loaded.isolated;
    const [guardrail] = isolated.loaded.plugins[0]?.guardrails ?? [];
    const errors = await whenAnswered(plugin === undefined ? [] : [plugin], () =>
      ['asked', 'pass'].map((how) => guardrail?.faults?.({ how })),
    );
    // The other question was put to the process that came after.
    expect(errors).toEqual([[`The check "bad.act" ended its process with them: ${why}.`], []]);
    expect(isolated.log[0]).toBe(
      `The process of the isolated plugin "./plugin.mjs" ended while its check "bad.act" ran: ${why}. It is started again in 100 ms.`,
    );
    await expect.poll(() => isolated.run('pass')).toEqual({ pass: true, data: {} });
  });

  it('occupies the process is named by the calls that waited for it', async () => {
    const isolated = await isolate({
      'plugin.mjs': actingPlugin(acts).replace(
        'guardrails: [{',
        `guardrails: [{ id: 'bad.waits', parameters: { type: 'object' }, create: () => () => new Promise(() => {}) }, {`,
      ),
    });
    const [waits, act] = isolated.loaded.plugins[0]?.guardrails ?? [];
    expect([waits?.id, act?.id]).toEqual(['bad.waits', 'bad.act']);
    const innocent = isolated.run('anything', { withinMs: 60_000 });
    // `run` takes the first check, so the loop is started through the other one.
    const services = { http: { send: () => Promise.reject(new Error('none')) }, timers: never, placeholder: () => 'p' };
    const culprit = act?.create({ how: 'loop' }, services)(anyInput, 200);
    await expect(culprit).rejects.toThrow('did not answer within 200 ms');
    expect(await innocent).toBe(
      'The process of the isolated plugin "./plugin.mjs" ended before its check "bad.waits" answered: the check ran on after its time of 200 ms was over, while its check "bad.act" ran.',
    );
  });
});

const never = { wall: () => 0, after: () => () => {} };
const anyInput = {
  phase: 'input',
  text: '',
  spans: [],
  metadata: {},
  tenant: 't' as never,
  request: { json: {}, headers: [], dialect: 'chat', operation: 'converse' },
  target: { provider: 'openai' },
  cancellation: { cancelled: false, onCancel: () => () => {} },
} as const;
