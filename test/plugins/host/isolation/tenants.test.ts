import { describe, expect, it } from 'vitest';
import type { CheckHttp } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { neverCancelled } from '../../../../plugins/sdk/time/cancellation.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';
import { actingPlugin, isolate, sharedIsolated } from './support.ts';

const acts = `
  // It occupies its process without the time of a processor.
  busy: () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); return pass(Date.now()); },
  hang: () => new Promise(() => {}),
  asks: async (_input, { http }) => pass((await http.send({ url: 'https://api.test/', tenant: 'another' })).status),
`;

const from = (name: string, text = 'a text') => ({ tenant: toTenant(name), text });
const flood = (count: number, run: () => Promise<unknown>): Promise<unknown>[] => Array.from({ length: count }, run);

const shared = sharedIsolated({ 'plugin.mjs': actingPlugin(acts, `permissions: { hosts: ['api.test'] },`) });

describe('while one tenant floods an isolated plugin with calls', () => {
  it('calls of another tenant are answered in turn', async () => {
    const { run } = shared();
    const ended: string[] = [];
    const noted = (name: string) => run('busy', { input: from(name), withinMs: 60_000 }).then(() => ended.push(name));
    const all = flood(100, () => noted('flood'));
    all.push(noted('calm'), noted('calm'));
    await Promise.all(all);
    const [first = -1, second = -1] = ended.flatMap((name, at) => (name === 'calm' ? [at] : []));
    // Some calls of the flood run while the others arrive.
    expect([first < 50, second < 50]).toEqual([true, true]);
  });

  it("calls of another tenant still run if the maximum number of the first tenant's calls hang", async () => {
    const { run } = shared();
    const withinMs = 60_000;
    const hanging = flood(1001, () => run('hang', { input: from('hangs'), withinMs }));
    expect(await Promise.race(hanging)).toBe(
      'The isolated plugin "./plugin.mjs" has 1000 calls that it has not answered.',
    );
    expect(await run('busy', { input: from('calm'), withinMs })).toMatchObject({ pass: true });
  });

  it("calls of another tenant still run if the first tenant's waiting calls use all of its bytes", async () => {
    const { run } = await isolate({ 'plugin.mjs': actingPlugin(acts) }, { memory_mb: 1024 });
    const withinMs = 60_000;
    const text = 'x'.repeat(8 * 1024 * 1024);
    const hanging = flood(7, () => run('hang', { input: from('flood', text), withinMs }));
    expect(await Promise.race(hanging)).toMatch(/has 5\d{7} bytes of calls that it has not answered/);
    expect(await run('busy', { input: from('calm'), withinMs })).toMatchObject({ pass: true });
  });

  it('calls that are cancelled before their turn never start, and the process keeps running', async () => {
    const { run, log } = shared();
    const late = flood(100, () => run('busy', { input: from('flood'), withinMs: 300 }));
    expect((await Promise.all(late)).at(-1)).toMatch(/did not answer within 300 ms/);
    expect(await run('busy', { input: from('flood') })).toMatchObject({ pass: true });
    expect(log).toEqual([]);
  });
});

it('sends the requests of isolated checks on behalf of the tenant whose request is checked', async () => {
  const { run } = shared();
  const seen: unknown[] = [];
  const http = async ({ tenant }: { readonly tenant?: string }) => {
    seen.push(tenant);
    return { status: 200, headers: [], text: '' };
  };
  await run('asks', { input: from('mine'), http });
  expect(seen).toEqual(['mine']);
});

it('counts what isolated checks receive against the memory of the checked request', async () => {
  const { run } = shared();
  const taken: number[] = [];
  const takeMemory = (bytes: number): boolean => taken.push(bytes) > 0;
  const http: CheckHttp['send'] = async ({ cancellation }) => {
    cancellation.takeMemory?.(7);
    return { status: 200, headers: [], text: '' };
  };
  await run('asks', { input: { cancellation: { ...neverCancelled, takeMemory } }, http });
  expect(taken).toEqual([7]);
});
