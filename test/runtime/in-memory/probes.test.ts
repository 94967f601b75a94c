import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { CancellationSource } from '../../../runtime/async/cancellation-source.ts';
import { toStateKey } from '../../../runtime/engine/target/state-key.ts';
import { createMemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import { type ProbeJob, Probes } from '../../../runtime/in-memory/probes.ts';
import type { MetCircuit } from '../../../runtime/ports/breakers.ts';
import { hashText } from '../../../schema/json/canonical.ts';
import { maxUnmetMs } from '../../../schema/plan/circuits/probed-circuits.ts';
import { toTenant } from '../../support/in-process/sample-exchange.ts';

const settings = { threshold: 1, cooldownMs: 30_000 };
const leaf = hashText('leaf');

const toCircuit = (name: string): MetCircuit => {
  const tenant = toTenant(name);
  return { key: toStateKey({ tenant, leaf, owner: '' }), tenant, leaf };
};

/** Creates an open circuit, and a job whose results the test sets. */
const begin = () => {
  const clock = createVirtualClock();
  const breakers = createMemoryBreakers({ clock });
  const probes = new Probes({ clock, breakers });
  const circuit = toCircuit('a');
  breakers.settle(circuit, settings, { outcome: 'failure', probe: false });
  const lifetime = new CancellationSource();
  const asked: number[] = [];
  const reported: boolean[] = [];
  let answer: () => Promise<boolean> = async () => false;
  const job: ProbeJob = {
    lifetime,
    waitMs: () => 1000,
    ask: () => {
      asked.push(clock.monotonic());
      return answer();
    },
    report: (isUp) => reported.push(isUp),
  };
  const pass = async (ms: number): Promise<void> => {
    await clock.settle(new Promise<void>((resolve) => clock.after(ms, resolve)));
  };
  return {
    ...{ clock, breakers, probes, circuit, lifetime, asked, reported, job, pass },
    answers: (next: () => Promise<boolean>) => {
      answer = next;
    },
  };
};

describe('the probes of a circuit', () => {
  it('are sent one at a time, however often it is watched, until one succeeds', async () => {
    const { breakers, probes, circuit, job, asked, reported, answers, pass, clock } = begin();
    for (let time = 0; time < 5; time += 1) expect(probes.watch(circuit, job)).toBe(true);
    await pass(2500);
    expect(asked).toEqual([1000, 2000]);
    expect(breakers.isClosed(circuit)).toBe(false);
    answers(async () => true);
    await pass(1000);
    expect(breakers.isClosed(circuit)).toBe(true);
    expect(reported).toEqual([false, false, true]);
    expect([probes.size, clock.pending]).toEqual([0, 0]);
  });

  it('continue after one that fails without an answer', async () => {
    const { probes, circuit, job, reported, answers, pass } = begin();
    probes.watch(circuit, job);
    answers(async () => {
      throw new Error('There is no connection.');
    });
    await pass(2500);
    expect(reported).toEqual([false, false]);
  });

  it('are not sent while one is unanswered', async () => {
    const { probes, circuit, job, asked, answers, pass } = begin();
    probes.watch(circuit, job);
    answers(() => new Promise(() => {}));
    await pass(9000);
    expect(asked).toEqual([1000]);
  });

  it('end when something else closes the circuit', async () => {
    const { breakers, probes, circuit, job, asked, pass, clock } = begin();
    probes.watch(circuit, job);
    breakers.prove(circuit);
    await pass(5000);
    expect([asked, probes.size, clock.pending]).toEqual([[], 0, 0]);
  });

  it('end with their plan, even while one is running, and do not restart for it', async () => {
    const { breakers, probes, circuit, job, lifetime, reported, answers, pass, clock } = begin();
    let say: (isUp: boolean) => void = () => {};
    answers(() => new Promise((resolve) => (say = resolve)));
    probes.watch(circuit, job);
    await pass(1500);
    lifetime.cancel();
    say(true);
    await pass(5000);
    expect([reported, probes.size, clock.pending]).toEqual([[], 0, 0]);
    expect(breakers.isClosed(circuit)).toBe(false);
    expect(probes.watch(circuit, job)).toBe(false);
    expect(probes.watch(circuit, { ...job, lifetime: new CancellationSource() })).toBe(true);
  });

  it('end when the gateway closes', () => {
    const { probes, circuit, job, clock } = begin();
    probes.watch(circuit, job);
    probes.close();
    expect([probes.size, clock.pending, probes.watch(circuit, job)]).toEqual([0, 0, false]);
  });

  it('end if no request has met the circuit for a long time, and restart with the next request', async () => {
    const { probes, circuit, job, asked, pass } = begin();
    probes.watch(circuit, job);
    await pass(500_000);
    probes.watch(circuit, job);
    await pass(maxUnmetMs);
    expect(probes.size).toBe(1);
    await pass(1001);
    expect(probes.size).toBe(0);
    const before = asked.length;
    expect(probes.watch(circuit, job)).toBe(true);
    await pass(1000);
    expect(asked.length).toBe(before + 1);
  });

  it('are limited in number: a circuit without room is left to requests', () => {
    const { probes, job } = begin();
    const watched = Array.from({ length: 1001 }, (_, at) => probes.watch(toCircuit(`t${at}`), job));
    expect(watched.filter((isWatched) => !isWatched)).toEqual([false]);
    probes.close();
  });

  it('cover only a few models of a leaf, however many callers choose', () => {
    const { probes, circuit, job, lifetime } = begin();
    const { tenant } = circuit;
    const watch = (model: string): boolean => {
      const of = { kind: 'target', model } as const;
      return probes.watch({ key: toStateKey({ tenant, leaf, owner: '', of }), tenant, leaf, of }, job);
    };
    const watched = Array.from({ length: 300 }, (_, at) => watch(`model-${at}`));
    expect(watched.map((isWatched, at) => isWatched === at < 10)).not.toContain(false);
    expect(probes.watch(toCircuit('b'), job)).toBe(true);
    lifetime.cancel();
    expect(probes.watch(circuit, { ...job, lifetime: new CancellationSource() })).toBe(true);
    probes.close();
  });
});
