import { isSuccess, type Outcome } from '../../http/status.ts';
import type { CircuitKind, CircuitName } from '../../trail/circuit-name.ts';
import type { CircuitDivision } from '../plan.ts';
import type { CircuitOutcome, CircuitSettings } from './circuit.ts';

/** No longer name is a model's: callers choose them, and they are kept. */
const maxModelLength = 200;

/** The model that circuits are divided by. */
const dividingModel = (model: string | undefined): Pick<CircuitName, 'model'> =>
  model === undefined || model.length > maxModelLength ? {} : { model };

/** The circuits that a request for a model meets at a leaf, in the order in which it is admitted by them and settles them. */
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

/** The circuits whose failures are statuses of providers, whatever else counts as a failure. */
const refusals: ReadonlyMap<number, CircuitKind> = new Map([
  [401, 'credential'],
  [403, 'credential'],
  [404, 'model'],
  [429, 'limit'],
]);

/** A run that says something about its upstream; `failed`: the breaker counts it as a failure. */
export interface JudgedRun extends Outcome {
  readonly failed: boolean;
}

/**
 * Gives what a run says of one of a leaf's circuits. A refusal is a failure of its own circuit alone; what succeeds proves
 * the credential, the model and that no limit was reached; and any answer that is no failure proves the target.
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

/** The longest that a limit's circuit stays open because its provider asks for it, in milliseconds. */
export const maxLimitedMs = 300_000;

/**
 * The settings of one of a leaf's circuits. That of a limit opens at its first failure, for the time that the provider asks
 * for, `askedMs`.
 */
export const circuitSettings = (
  { kind }: CircuitName,
  settings: CircuitSettings,
  askedMs?: number,
): CircuitSettings => {
  if (kind !== 'limit') return settings;
  return { threshold: 1, cooldownMs: askedMs === undefined ? settings.cooldownMs : Math.min(askedMs, maxLimitedMs) };
};
