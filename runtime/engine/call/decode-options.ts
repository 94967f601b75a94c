import type { DecodeAnswer } from '../../../plugins/sdk/dialect/dialect.ts';
import type { LeafCall } from './leaf-call.ts';

/** Options for reading a provider's answer: whose bound values it contains, and the model that was called. */
export const decodeOptions = ({ target, outgoing }: LeafCall): DecodeAnswer => {
  const scope = target.stateScope(outgoing?.model);
  return outgoing?.model === undefined ? { scope } : { scope, model: outgoing.model };
};
