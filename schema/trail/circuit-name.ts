/**
 * Whose failures a circuit counts: those of a credential at its provider, of a model that the target may not have, of a limit
 * of requests, or of the target itself.
 */
export type CircuitKind = 'credential' | 'model' | 'limit' | 'target';

/** One of the circuits of a leaf whose breaker is divided. */
export interface CircuitName {
  readonly kind: CircuitKind;
  /** The model that it is of; absent where it is of all models, or the request names none. */
  readonly model?: string;
}

/** Says which of a leaf's circuits it is, after the word `circuit`; nothing where the leaf has one. */
export const describeCircuit = (of: CircuitName | undefined): string => {
  if (of === undefined) return '';
  const whose = of.kind === 'model' ? '' : ` of the ${of.kind}`;
  return of.model === undefined ? whose : `${whose}${whose === '' ? ' of' : ' for'} ${of.model}`;
};
