import type { DecodeAnswer } from '../../../plugins/sdk/dialect/dialect.ts';
import type { LeafCall } from './leaf-call.ts';
import { outgoingModel } from './requested-model-and-stream.ts';

/** Returns the options for reading a provider's answer: who created its bound values, and the model that was called. */
export const decodeOptions = (call: LeafCall): DecodeAnswer => {
  const model = outgoingModel(call);
  const scope = call.target.stateScope(model);
  return model === undefined ? { scope } : { scope, model };
};
