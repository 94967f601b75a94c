/**
 * The kind of failures that a circuit counts: those of a credential at its provider, of a model that the target may not have, of
 * a rate limit, or of the target itself.
 */
export type CircuitKind = 'credential' | 'model' | 'limit' | 'target';

/** One of the circuits of a leaf whose breaker is divided. */
export interface CircuitName {
  readonly kind: CircuitKind;
  /** The model that the circuit is for; absent if it is for all models, or if the request names none. */
  readonly model?: string;
}

/** Describes which of a leaf's circuits it is, for use after the word `circuit`; empty if the leaf has only one. */
export const describeCircuit = (of: CircuitName | undefined): string => {
  if (of === undefined) return '';
  const whose = of.kind === 'model' ? '' : ` of the ${of.kind}`;
  return of.model === undefined ? whose : `${whose}${whose === '' ? ' of' : ' for'} ${of.model}`;
};
