import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { fromExactJson } from '../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parsedObject } from './parsed-object.ts';

/** Returns the JSON object in `bytes`. Undefined if they are not one, or nest too deeply. */
export const findJsonObject = (bytes: Uint8Array): JsonObject | undefined => parsedObject(toBuffer(bytes).toString());

/** Does the same, and keeps the numbers as they were written for `withExactNumbers`: for a body that is written again. */
export const findExactObject = (bytes: Uint8Array): JsonObject | undefined =>
  parsedObject(toBuffer(bytes).toString(), fromExactJson);
