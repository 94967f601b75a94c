import type { GatewayError } from '../../../../schema/errors/errors.ts';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';

/** The `GatewayError` `invalid-input` for a header of a request to the control plane. */
export const headerFault = (header: string, message: string, hint: string): GatewayError =>
  invalidInput([{ in: 'header', pointer: toPointer([header]), message, hint }]);
