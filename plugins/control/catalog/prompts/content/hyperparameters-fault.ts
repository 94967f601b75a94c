import type { JsonObject } from '../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';

/** What is wrong with a member of a body, and what to do. */
export interface BodyFault {
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
}

/** The fault of parameters that are nested under `hyperparameters`; undefined if they are not. */
export const hyperparametersFault = (
  parameters: JsonObject,
  pointer: JsonPointer = rootPointer,
): BodyFault | undefined =>
  Object.hasOwn(parameters, 'hyperparameters')
    ? {
        pointer: childPointer(pointer, 'hyperparameters'),
        message: 'Parameters are not nested under "hyperparameters".',
        hint: 'Write them one level higher, such as "max_tokens" in place of "hyperparameters.max_tokens".',
      }
    : undefined;
