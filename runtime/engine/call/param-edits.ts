import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { withParams } from '../../../plugins/sdk/dialect/with-params.ts';
import type { Route } from '../../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { keepSources } from '../../../schema/json/number-sources.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import type { LeafCall } from './leaf-call.ts';
import { bodyEdits, pathEdits } from './requested-model-and-stream.ts';

/**
 * Returns a target's changes to the client's request: the model from its name, then its overrides. Undefined if there are none.
 */
export const paramEdits = ({ model, params }: Target): JsonObject | undefined => {
  const edits = model === undefined ? params.override : { model, ...params.override };
  return Object.keys(edits).length === 0 ? undefined : edits;
};

/** Returns a target's edits that are still to be applied. A body that a check changed contains them already. */
export const pendingEdits = (
  { exchange, isChanged }: Pick<LeafCall, 'exchange' | 'isChanged'>,
  edits: JsonObject | undefined,
): JsonObject | undefined => (isChanged && edits !== undefined ? pathEdits(edits, exchange.route) : edits);

/** Returns a body with the edits where its dialect has them. */
export const withEdits = (
  body: JsonObject,
  edits: JsonObject | undefined,
  { route, dialect }: { readonly route: Route; readonly dialect: Dialect | undefined },
): JsonObject => {
  const laid = edits === undefined ? undefined : bodyEdits(edits, route);
  return laid === undefined ? body : keepSources(withParams(dialect, laid, body), body);
};

/**
 * Returns the body as this leaf sends it: the client's, with the edits that are still to be applied, where the client's dialect
 * has them.
 */
export const sentParams = (
  { exchange, dialect }: Pick<LeafCall, 'exchange' | 'dialect'>,
  pending: JsonObject | undefined,
): JsonObject => withEdits(exchange.json(), pending, { route: exchange.route, dialect });

/** Returns the same with all edits of a target. Those that a changed body contains are not applied again. */
export const effectiveParams = (
  call: Pick<LeafCall, 'exchange' | 'isChanged' | 'dialect'>,
  edits: JsonObject | undefined,
): JsonObject => sentParams(call, pendingEdits(call, edits));
