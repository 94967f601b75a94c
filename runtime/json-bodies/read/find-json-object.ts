import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parsedObject } from './parsed-object.ts';

/** The JSON object in `bytes`; undefined if they are not one, or nest too deeply. */
export const findJsonObject = (bytes: Uint8Array): JsonObject | undefined => parsedObject(toBuffer(bytes).toString());
