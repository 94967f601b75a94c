import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maxProcesses } from '../../../../plugins/host/isolation/process-pool.ts';
import { type Act, createModel, loopMs } from './process-pool-model.ts';

const calm = ['calm', 'quiet'] as const;
const wild = ['red', 'green', 'blue'] as const;

interface Step {
  readonly tenant: string;
  readonly act: Act;
  readonly thenMs: number;
}

const thenMs = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 90_000 }));
const act = fc.constantFrom<Act>('pass', 'loop', 'exit');
const toStep = (names: readonly string[]) => fc.record({ tenant: fc.constantFrom(...names), act, thenMs });
const calmStep = fc.record({ tenant: fc.constantFrom(...calm), act: fc.constant<Act>('pass'), thenMs });

/** Takes the steps. Returns the failed calls of calm tenants, and how long their answered calls took. */
const taken = async (steps: readonly Step[]) => {
  const model = await createModel();
  const { clock } = model;
  const calls: Promise<void>[] = [];
  const failed: string[] = [];
  const tookMs: number[] = [];
  for (const step of steps) {
    const isCalm = calm.some((name) => name === step.tenant);
    const at = clock.monotonic();
    const called = model.call(step.tenant, step.act).then(
      () => void (isCalm && tookMs.push(clock.monotonic() - at)),
      (error: Error) => void (isCalm && failed.push(error.message)),
    );
    calls.push(called);
    await clock.advance(step.thenMs);
  }
  // Longer than any call can take.
  await clock.advance(20 * loopMs);
  await Promise.all(calls);
  return { ...model, failed, tookMs };
};

it('answers tenants with quick checks before one looping check of three other tenants would time out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(toStep(wild), calmStep), { maxLength: 40 }), async (steps) => {
      const { failed, tookMs } = await taken(steps);
      expect(failed).toEqual([]);
      expect(Math.max(0, ...tookMs)).toBeLessThan(loopMs);
    }),
    { numRuns: 60 },
  );
});

it('runs at most four processes, and only one after a time without calls', async () => {
  const names = [...calm, ...wild, 'grey', 'black', 'white'];
  await fc.assert(
    fc.asyncProperty(fc.array(toStep(names), { maxLength: 40 }), async (steps) => {
      const { clock, processes } = await taken(steps);
      expect(processes.max).toBeLessThanOrEqual(maxProcesses);
      await clock.advance(300_000);
      expect(processes.now).toBe(1);
    }),
    { numRuns: 60 },
  );
});

it('runs only one process for a single tenant, whatever its checks do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(toStep(['alone']), { maxLength: 40 }), async (steps) => {
      expect((await taken(steps)).processes.max).toBe(1);
    }),
    { numRuns: 30 },
  );
});
