import type { Diagnostic } from './diagnostic.ts';
import { errorReport, GatewayError } from './errors.ts';

/** Creates the `GatewayError` `invalid-config` for a caller's config with these diagnostics. */
export const invalidConfig = (diagnostics: readonly Diagnostic[]): GatewayError => {
  const first = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'the compiler produced no plan.';
  return new GatewayError({ ...errorReport('invalid-config', { first }), diagnostics });
};
