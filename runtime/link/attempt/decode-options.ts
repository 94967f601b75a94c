import type { DecodeAnswer } from '../../../plugins/sdk/dialect.ts';
import type { LeafCall } from '../leaf-call.ts';

/** Options for reading a provider's answer: whose bound values it contains. */
export const decodeOptions = ({ target }: LeafCall): DecodeAnswer => ({ scope: target.stateScope });
