import type { JsonObject } from '../../../schema/json/json.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { bodyEdits, pathEdits } from './asked-for.ts';
import type { LeafCall } from './leaf-call.ts';

/**
 * Collects the changes of a target to the client's request: the model from its name, then its overrides; undefined if
 * nothing.
 */
export const paramEdits = ({ model, params }: Target): JsonObject | undefined => {
  const edits = model === undefined ? params.override : { model, ...params.override };
  return Object.keys(edits).length === 0 ? undefined : edits;
};

/** Those of a target's edits that are still to be made: a body that a check changed has them already. */
export const pendingEdits = (
  { exchange, isChanged }: Pick<LeafCall, 'exchange' | 'isChanged'>,
  edits: JsonObject | undefined,
): JsonObject | undefined => (isChanged && edits !== undefined ? pathEdits(edits, exchange.route) : edits);

/** The body as this leaf sends it: the client's, with the edits where the client's dialect has them. */
export const effectiveParams = (
  call: Pick<LeafCall, 'exchange' | 'isChanged' | 'dialect'>,
  edits: JsonObject | undefined,
): JsonObject => {
  const { exchange, dialect } = call;
  const pending = pendingEdits(call, edits);
  const laid = pending === undefined ? undefined : bodyEdits(pending, exchange.route);
  if (laid === undefined) return exchange.json();
  return dialect?.place === undefined ? { ...exchange.json(), ...laid } : dialect.place(laid, exchange.json());
};
