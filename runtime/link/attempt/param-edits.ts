import type { JsonObject } from '../../../schema/json.ts';
import type { Target } from '../../../schema/plan.ts';
import type { LeafCall } from '../leaf-call.ts';
import { bodyEdits } from './asked-for.ts';

/** What a target changes in the client's request: the model from its name, then its overrides; undefined if nothing. */
export const paramEdits = ({ model, params }: Target): JsonObject | undefined => {
  const edits = model === undefined ? params.override : { model, ...params.override };
  return Object.keys(edits).length === 0 ? undefined : edits;
};

/** The body as this leaf sends it: the client's, with the edits where the client's dialect has them. */
export const effectiveParams = ({ exchange, dialect }: LeafCall, edits: JsonObject | undefined): JsonObject => {
  const laid = edits === undefined ? undefined : bodyEdits(edits, exchange.route);
  if (laid === undefined) return exchange.json();
  return dialect?.place === undefined ? { ...exchange.json(), ...laid } : dialect.place(laid, exchange.json());
};
