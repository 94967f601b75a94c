/**
 * Headers of other gateways' clients that say nothing to this one: they are accepted, and not read. Both are of Oracle's own API,
 * which is older than the one that the gateway calls: that one has its version in its path, and finds a dedicated cluster by its
 * endpoint, which is then the model.
 */
export const reservedHeaders: readonly string[] = ['x-gw-oracle-api-version', 'x-gw-oracle-serving-mode'];

/**
 * Headers of other gateways' clients that name checks, and the members of a config that do so here. A request that has one is
 * refused: it would be served without the checks that its client relies on.
 */
export const unservedHeaders: ReadonlyMap<string, string> = new Map([
  ['x-gw-default-input-guardrails', 'input_guardrails'],
  ['x-gw-default-output-guardrails', 'output_guardrails'],
]);
