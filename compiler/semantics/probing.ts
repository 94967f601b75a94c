import { closedCircuit } from '../../schema/plan/circuits/circuit.ts';
import { isProbedCircuit, maxUnmetMs } from '../../schema/plan/circuits/probed-circuits.ts';
import type { LeafNode } from '../../schema/plan/plan.ts';
import { findStage } from '../../schema/plan/stages.ts';
import type { MeantCircuit, Probing } from './circuits.ts';
import { countUp, toCircuit, toTarget, type World } from './run.ts';

/** Returns whether a circuit that is not closed is left to its probes. Starts the probes if there are none. */
export const watchCircuit = (circuit: MeantCircuit, leaf: LeafNode, world: World): boolean => {
  const probe = findStage(leaf, 'breaker')?.probe;
  if (probe === undefined || !isProbedCircuit(circuit.of)) return false;
  const { now, probing } = world;
  const { everyMs } = probe;
  const running = probing.get(circuit.key);
  const target = toTarget(world, leaf).id;
  probing.set(circuit.key, { ...(running ?? { circuit, target, everyMs, nextAt: now + everyMs }), metAt: now });
  return true;
};

const sendProbe = (probed: Probing, world: World): void => {
  const { circuit, target, everyMs, nextAt, metAt } = probed;
  const { scenario, circuits, probing } = world;
  probing.delete(circuit.key);
  const isClosed = (): boolean => toCircuit(world, circuit).state === 'closed';
  if (isClosed() || nextAt - metAt > maxUnmetMs) return;
  const isUp = scenario.probes?.(target, countUp(world, 'probe', target)) ?? false;
  if (isUp) circuits.set(circuit.key, closedCircuit);
  if (!isClosed()) probing.set(circuit.key, { ...probed, nextAt: nextAt + everyMs });
};

/** Lets time pass, and sends the probes that are due until then. Each is answered immediately. */
export const passTime = (world: World, until: number): void => {
  for (;;) {
    const due = [...world.probing.values()].filter(({ nextAt }) => nextAt <= until);
    const [first] = due.toSorted((a, b) => a.nextAt - b.nextAt);
    if (first === undefined) break;
    sendProbe(first, world);
  }
  world.now = until;
};
