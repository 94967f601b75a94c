import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { createMemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import type { Breakers, MetCircuit } from '../../../runtime/ports/breakers.ts';
import type { CircuitChange, CircuitNews } from '../../../runtime/workers/circuit-change.ts';
import { createReplicatedBreakers } from '../../../runtime/workers/replicated-breakers.ts';
import { SharedCircuits } from '../../../runtime/workers/shared-circuits.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { lawRuns } from '../../support/run/law-runs.ts';
import { breakersContract } from '../in-memory/breakers-contract.ts';

const settings = { threshold: 2, cooldownMs: 100 };
const toMet = (key: string): MetCircuit => ({ key, tenant: 'tenant', leaf: 'sha256:leaf' }) as unknown as MetCircuit;

/** Creates workers whose messages wait until they are delivered, in order in each direction. */
const createWorld = (count: number) => {
  const clock = createVirtualClock();
  const owner = new SharedCircuits({ clock });
  const toOwner: CircuitChange[][] = [];
  const toWorker: CircuitNews[][] = [];
  const workers: ReturnType<typeof createReplicatedBreakers>[] = [];
  const join = (): void => {
    const at = workers.length;
    const up: CircuitChange[] = [];
    const down: CircuitNews[] = [];
    toOwner.push(up);
    toWorker.push(down);
    const worker = createReplicatedBreakers({ clock, send: (change) => up.push(structuredClone(change)) });
    worker.receive({ seen: 0, states: owner.join(at, (news) => down.push(structuredClone(news))) });
    workers.push(worker);
  };
  for (let at = 0; at < count; at += 1) join();
  const up = (worker: number): void => {
    const change = toOwner[worker]?.shift();
    if (change !== undefined) owner.apply(worker, change);
  };
  const down = (worker: number): void => {
    const news = toWorker[worker]?.shift();
    if (news !== undefined) workers[worker]?.receive(news);
  };
  const settle = (): void => {
    for (let at = 0; at < workers.length; at += 1) while ((toOwner[at]?.length ?? 0) > 0) up(at);
    for (let at = 0; at < workers.length; at += 1) while ((toWorker[at]?.length ?? 0) > 0) down(at);
  };
  return { clock, owner, workers, join, up, down, settle };
};

/** Returns what a run can learn about a circuit. */
const look = (breakers: Breakers, met: MetCircuit) => ({
  available: breakers.available(met),
  isClosed: breakers.isClosed(met),
  probes: breakers.probes(met),
});

const outcome = fc.constantFrom('success' as const, 'failure' as const, 'neutral' as const);
const key = fc.constantFrom('a', 'b');
const worker = fc.nat(2);
const step = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), worker, key }),
  fc.record({ kind: fc.constant('end' as const), run: fc.nat(20), outcome }),
  fc.record({ kind: fc.constant('prove' as const), worker, key }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ kind: fc.constantFrom('up' as const, 'down' as const), worker }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Run {
  readonly worker: number;
  readonly met: MetCircuit;
  readonly probe: boolean;
}

/** Takes steps of workers, each with runs that end later. `check` sees each change before its messages are delivered. */
const takeSteps = (
  { clock, workers, up, down }: ReturnType<typeof createWorld>,
  check: (act: (breakers: Breakers) => unknown, worker: Breakers) => void = (act, worker) => act(worker),
) => {
  const runs: Run[] = [];
  const begin = (worker: number, met: MetCircuit): void => {
    let probe = false;
    const act = (breakers: Breakers): unknown => {
      const admission = breakers.admit(met, settings);
      probe = admission.probe;
      return admission;
    };
    check(act, workers[worker] as Breakers);
    runs.push({ worker, met, probe });
  };
  const end = (at: number, how: 'success' | 'failure' | 'neutral'): void => {
    const [run] = runs.splice(at % Math.max(1, runs.length), 1);
    if (run === undefined) return;
    const { worker, met, probe } = run;
    // A probe that took too long no longer decides if another process has the next one.
    if (probe && runs.some((other) => other.probe && other.met.key === met.key)) return;
    check((breakers) => breakers.settle(met, settings, { outcome: how, probe }), workers[worker] as Breakers);
  };
  return (each: Step): void => {
    if (each.kind === 'wait') clock.advance(each.ms);
    else if (each.kind === 'up') up(each.worker);
    else if (each.kind === 'down') down(each.worker);
    else if (each.kind === 'begin') begin(each.worker, toMet(each.key));
    else if (each.kind === 'end') end(each.run, each.outcome);
    else if (each.kind === 'prove')
      check((breakers) => breakers.prove(toMet(each.key)), workers[each.worker] as Breakers);
  };
};

const names = ['a', 'b'];

breakersContract('replicated', (clock) => {
  const owner = new SharedCircuits({ clock });
  const breakers = createReplicatedBreakers({ clock, send: (change) => owner.apply(1, change) });
  owner.join(1, (news) => breakers.receive(news));
  return breakers;
});

describe('the circuits of several workers', () => {
  it('do not return to what the owner knew before it received a change', () => {
    const { workers, up, down, settle } = createWorld(2);
    const [first] = workers as readonly Breakers[] as [Breakers];
    for (let failure = 0; failure < 2; failure += 1)
      first.settle(toMet('a'), settings, { outcome: 'failure', probe: false });
    up(0);
    down(0);
    expect(first.available(toMet('a'))).toBe(false);
    settle();
    expect(workers.map((one) => one.available(toMet('a')))).toEqual([false, false]);
  });

  it('behave like those of one process if messages take no time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = createWorld(3);
        const single = createMemoryBreakers({ clock: world.clock });
        const take = takeSteps(world, (act, one) => expect(act(one)).toEqual(act(single)));
        for (const each of steps) {
          take(each);
          world.settle();
          for (const one of world.workers)
            for (const name of names) expect(look(one, toMet(name))).toEqual(look(single, toMet(name)));
        }
      }),
      lawRuns,
    );
  });

  it('are the same in all workers and in a new one once all messages have arrived, in any order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const world = createWorld(3);
        const take = takeSteps(world);
        for (const each of steps) take(each);
        world.settle();
        world.join();
        for (const name of names) {
          const [first, ...others] = world.workers.map((one) => look(one, toMet(name)));
          for (const other of others) expect(other).toEqual(first);
        }
      }),
      lawRuns,
    );
  });

  it('count the failures of all workers, even if none has heard of another', () => {
    const { workers, settle } = createWorld(2);
    for (const one of workers) {
      one.admit(toMet('a'), settings);
      expect(one.settle(toMet('a'), settings, { outcome: 'failure', probe: false })).toBeUndefined();
    }
    settle();
    expect(workers.map((one) => one.available(toMet('a')))).toEqual([false, false]);
  });

  it('are decided by the first of two probes that start at the same time', () => {
    const { clock, workers, settle, up } = createWorld(2);
    const [first, second] = workers as readonly Breakers[] as [Breakers, Breakers];
    for (const one of workers) one.settle(toMet('a'), settings, { outcome: 'failure', probe: false });
    settle();
    clock.advance(100);
    expect([first.admit(toMet('a'), settings).probe, second.admit(toMet('a'), settings).probe]).toEqual([true, true]);
    up(0);
    second.settle(toMet('a'), settings, { outcome: 'success', probe: true });
    settle();
    expect(second.isClosed(toMet('a'))).toBe(false);
    first.settle(toMet('a'), settings, { outcome: 'success', probe: true });
    settle();
    expect(workers.map((one) => one.isClosed(toMet('a')))).toEqual([true, true]);
  });

  it('are listed alike in every worker, whichever saw the failures', () => {
    const { clock, workers, settle, join } = createWorld(2);
    const place = { config: 'chat', path: toPointer(['targets', 0]), target: 'first' };
    const met = { ...toMet('a'), place };
    for (const [worker, cause] of [
      [0, 'network'],
      [1, 'upstream-503'],
    ] as const) {
      workers[worker]?.settle(met, settings, { outcome: 'failure', probe: false, cause });
      settle();
    }
    clock.advance(30);
    join();
    const listed = { state: 'open', failures: 2, cause: 'upstream-503', place, openMs: 30, leftMs: 70 };
    expect(workers.map((one) => one.list?.('tenant'))).toEqual([[listed], [listed], [listed]]);
  });

  it('send no message for runs that change nothing', () => {
    const sent: CircuitChange[] = [];
    const breakers = createReplicatedBreakers({ clock: createVirtualClock(), send: (change) => sent.push(change) });
    const { probe } = breakers.admit(toMet('a'), settings);
    breakers.settle(toMet('a'), settings, { outcome: 'success', probe });
    breakers.settle(toMet('a'), settings, { outcome: 'neutral', probe });
    breakers.prove(toMet('a'));
    expect(sent).toEqual([]);
  });
});

it('one change of a circuit that several workers cause at once is reported by only one of them', () => {
  const { workers, settle } = createWorld(3);
  const met = toMet('a');
  const reported: unknown[] = [];
  for (const each of workers)
    each.settle(met, settings, { outcome: 'failure', probe: false, later: (changed) => reported.push(changed) });
  settle();
  expect(reported).toEqual([{ from: 'closed', to: 'open' }]);
});
