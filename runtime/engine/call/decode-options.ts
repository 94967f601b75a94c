import type { DecodeAnswer } from '../../../plugins/sdk/dialect/dialect.ts';
import { outgoingModel } from './asked-for.ts';
import type { LeafCall } from './leaf-call.ts';

/** Returns the options for reading a provider's answer: who created its bound values, and the model that was called. */
export const decodeOptions = (call: LeafCall): DecodeAnswer => {
  const model = outgoingModel(call);
  const scope = call.target.stateScope(model);
  return model === undefined ? { scope } : { scope, model };
};
