/**
 * Headers of other gateways' clients that have no meaning here: they are accepted, and not read. Both belong to Oracle's own API,
 * which is older than the one that the gateway calls. The newer one has its version in its path, and finds a dedicated cluster by
 * its endpoint, which is then the model.
 */
export const reservedHeaders: readonly string[] = ['x-gw-oracle-api-version', 'x-gw-oracle-serving-mode'];

/**
 * Headers of other gateways' clients that name checks, and the config members that do so here. A request with one of them is
 * refused, because it would be served without the checks that its client relies on.
 */
export const unservedHeaders: ReadonlyMap<string, string> = new Map([
  ['x-gw-default-input-guardrails', 'input_guardrails'],
  ['x-gw-default-output-guardrails', 'output_guardrails'],
]);
