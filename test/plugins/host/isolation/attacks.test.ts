import { describe, expect, it } from 'vitest';
import { whenAnswered } from '../../../../plugins/host/isolation/when-answered.ts';
import { actingPlugin, type Isolated, isolate, sharedIsolated } from './support.ts';

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

/**
 * Runs a check that ends its process and waits until the process has been replaced. Returns the answer and the log lines about
 * it.
 */
const attack = async (
  { run, log }: Isolated,
  how: string,
  withinMs: number,
): Promise<{ readonly answer: unknown; readonly lines: readonly string[] }> => {
  const before = log.length;
  const answer = await run(how, { withinMs });
  const lines = (): readonly string[] => log.slice(before);
  await expect.poll(() => lines().join('\n')).toMatch(/It is started again in \d+ ms\./);
  await expect.poll(() => run('pass')).toEqual({ pass: true, data: {} });
  return { answer, lines: lines() };
};

// Each attack of a group hits the process that replaced the previous one, and each restart is delayed twice as long.
describe('an isolated check that', () => {
  describe('takes too long:', () => {
    const isolated = sharedIsolated({ 'plugin.mjs': actingPlugin(acts) });

    it.each([
      ['loops', 'loop', 100],
      ['loops over promises', 'spin', 200],
      ['never answers', 'hang', 400],
    ])('%s is reported at its time-out, and its process is replaced', async (_, how, delayMs) => {
      const { answer, lines } = await attack(isolated(), how, 200);
      expect(answer).toBe('The check "bad.act" of the isolated plugin "./plugin.mjs" did not answer within 200 ms.');
      expect(lines[0]).toBe(
        `The process of the isolated plugin "./plugin.mjs" ended while its check "bad.act" ran: the check ran on after its time of 200 ms was over. It is started again in ${delayMs} ms.`,
      );
    });

    it('closes its channel is ended', async () => {
      const { answer } = await attack(isolated(), 'closes', 200);
      expect(answer).toMatch(/did not answer within 200 ms|ended while/);
    });
  });

  type Attack = readonly [name: string, how: string, why: RegExp];
  describe.each<readonly [group: string, attacks: readonly Attack[]]>([
    [
      'ends its process:',
      [
        ['fills buffers', 'buffers', /it used \d+ MiB of memory, but its limit is 128 MiB/],
        ['fills the heap', 'heap', /it used \d+ MiB of memory, but its limit is 128 MiB|it was ended by SIGABRT/],
        ['ends the process', 'exit', /it ended with exit code 3/],
        ['aborts the process', 'abort', /it was ended by SIGABRT/],
      ],
    ],
    [
      'has its process ended:',
      [
        ['throws in a timer', 'timer', /it ended with exit code 1/],
        ['writes nonsense to the gateway', 'nonsense', /it sent a message that is not JSON/],
        ['writes JSON that is not a message', 'number', /it sent something that is not a message/],
        ['writes an endless message', 'endless', /it sent a message of more than \d+ characters/],
      ],
    ],
  ])('%s', (_group, attacks) => {
    const isolated = sharedIsolated({ 'plugin.mjs': actingPlugin(acts) }, { memory_mb: 128 });

    it.each<Attack>(attacks)('%s fails alone, and its process is replaced', async (_, how, why) => {
      const { answer, lines } = await attack(isolated(), how, 20_000);
      expect(answer).toMatch(why);
      expect(answer).toContain(
        'The process of the isolated plugin "./plugin.mjs" ended while its check "bad.act" ran: ',
      );
      // The operator also sees what the plugin printed.
      if (how === 'timer')
        expect(lines).toContain('The isolated plugin "./plugin.mjs" printed: Error: thrown in a timer');
    });
  });

  describe('makes the validation of its parameters fail:', () => {
    const isolated = sharedIsolated({
      'plugin.mjs': actingPlugin(acts)
        .replace('create:', 'faults: ({ how }) => asks[how]?.() ?? [], create:')
        .concat(`
const asks = {
  stands: () => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); },
  ends: () => process.exit(3),
};`),
    });

    it.each([
      ['hangs', 'stands', 'it did not report within 2 seconds whether it accepts its parameters', 100],
      ['ends the process', 'ends', 'it ended with exit code 3', 200],
    ])('%s is named in an error about its parameters', async (_, asked, why, delayMs) => {
      const { loaded, log, run } = isolated();
      const before = log.length;
      const [plugin] = loaded.isolated;
      const [guardrail] = loaded.plugins[0]?.guardrails ?? [];
      const errors = await whenAnswered(plugin === undefined ? [] : [plugin], () =>
        [asked, `not ${asked}`].map((how) => guardrail?.faults?.({ how })),
      );
      // The other parameters were validated in the replacement process.
      expect(errors).toEqual([[`The check "bad.act" ended its process when it validated them: ${why}.`], []]);
      expect(log[before]).toBe(
        `The process of the isolated plugin "./plugin.mjs" ended while its check "bad.act" ran: ${why}. It is started again in ${delayMs} ms.`,
      );
      await expect.poll(() => run('pass')).toEqual({ pass: true, data: {} });
    });
  });

  it('occupies the process is named in the errors of the calls that waited for it', async () => {
    const isolated = await isolate({
      'plugin.mjs': actingPlugin(acts).replace(
        'guardrails: [{',
        `guardrails: [{ id: 'bad.waits', parameters: { type: 'object' }, create: () => () => new Promise(() => {}) }, {`,
      ),
    });
    const [waits, act] = isolated.loaded.plugins[0]?.guardrails ?? [];
    expect([waits?.id, act?.id]).toEqual(['bad.waits', 'bad.act']);
    const innocent = isolated.run('anything', { withinMs: 60_000 });
    // `run` calls the first check, so the loop is started through the other check.
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
