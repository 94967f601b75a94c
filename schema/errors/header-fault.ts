import { toPointer } from '../json/pointer.ts';
import type { GatewayError } from './errors.ts';
import { invalidInput } from './invalid-input.ts';

/** The `GatewayError` `invalid-input` for a header of a request to the control plane. */
export const headerFault = (header: string, message: string, hint: string): GatewayError =>
  invalidInput([{ in: 'header', pointer: toPointer([header]), message, hint }]);
