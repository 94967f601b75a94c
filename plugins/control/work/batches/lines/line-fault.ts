import type { GatewayError } from '../../../../../schema/errors/errors.ts';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';

/** What is wrong with a line of an input file. */
export const lineFault = (
  line: number,
  fact: string,
  hint: string = 'Correct the file, and upload it again.',
): GatewayError =>
  invalidInput([
    {
      pointer: toPointer(['input_file_id']),
      message: `Line ${line} of the input file is not valid: ${fact}`,
      hint,
      line,
    },
  ]);
