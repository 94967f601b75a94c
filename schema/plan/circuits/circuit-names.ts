import { isSuccess, type Outcome } from '../../http/status.ts';
import type { CircuitKind, CircuitName } from '../../trail/circuit-name.ts';
import type { CircuitDivision } from '../plan.ts';
import type { CircuitOutcome, CircuitSettings } from './circuit.ts';

/** The longest name that is treated as a model. Callers choose names, and they are kept in memory. */
const maxModelLength = 200;

/** Returns the model by which circuits are divided. */
const dividingModel = (model: string | undefined): Pick<CircuitName, 'model'> =>
  model === undefined || model.length > maxModelLength ? {} : { model };

/** Lists the circuits that apply to a request for a model at a leaf, in the order in which they admit it and are settled. */
export const listCircuits = (by: readonly CircuitDivision[], model: string | undefined): readonly CircuitName[] => {
  const named = dividingModel(model);
  const divided = by.includes('model') ? named : {};
  if (!by.includes('error')) return [{ kind: 'target', ...divided }];
  return [
    { kind: 'credential' },
    ...(named.model === undefined ? [] : [{ kind: 'model', ...named } as const]),
    { kind: 'limit', ...divided },
    { kind: 'target', ...divided },
  ];
};

/** The statuses of providers that count as failures of these circuits, whatever else counts as a failure. */
const refusals: ReadonlyMap<number, CircuitKind> = new Map([
  [401, 'credential'],
  [403, 'credential'],
  [404, 'model'],
  [429, 'limit'],
]);

/** A run that says something about its upstream. `failed`: whether the breaker counts it as a failure. */
export interface JudgedRun extends Outcome {
  readonly failed: boolean;
}

/**
 * Returns the outcome of a run for one of a leaf's circuits. A refusal is a failure only of its own circuit. A success proves
 * that the credential and the model work and that no limit was reached. Any response that is not a failure proves that the target
 * works.
 */
export const circuitOutcome = (
  { kind }: CircuitName,
  by: readonly CircuitDivision[],
  { failed, status, origin }: JudgedRun,
): CircuitOutcome => {
  const refused = by.includes('error') && origin === 'upstream' ? refusals.get(status) : undefined;
  if (refused === kind) return 'failure';
  if (kind === 'target') return failed && refused === undefined ? 'failure' : 'success';
  return isSuccess(status) && origin === 'upstream' ? 'success' : 'neutral';
};

/** The longest time that a limit's circuit stays open because its provider asks for it, in milliseconds. */
export const maxLimitedMs = 300_000;

/**
 * Returns the settings of one of a leaf's circuits. The circuit of a limit opens at its first failure, for the time that the
 * provider asks for, `askedMs`.
 */
export const circuitSettings = (
  { kind }: CircuitName,
  settings: CircuitSettings,
  askedMs?: number,
): CircuitSettings => {
  if (kind !== 'limit') return settings;
  return { threshold: 1, cooldownMs: askedMs === undefined ? settings.cooldownMs : Math.min(askedMs, maxLimitedMs) };
};
