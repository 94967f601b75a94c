import type { JsonObject } from '../../../schema/json.ts';
import type { Target } from '../../../schema/plan.ts';
import type { LeafCall } from '../leaf-call.ts';

/** What a target changes in the client's body: the model from its name, then its overrides; undefined if nothing. */
export const paramEdits = ({ model, params }: Target): JsonObject | undefined => {
  const edits = model === undefined ? params.override : { model, ...params.override };
  return Object.keys(edits).length === 0 ? undefined : edits;
};

/** The body as this leaf sends it: the client's, with the edits applied. */
export const effectiveParams = ({ exchange }: LeafCall, edits: JsonObject | undefined): JsonObject =>
  edits === undefined ? exchange.json() : { ...exchange.json(), ...edits };
