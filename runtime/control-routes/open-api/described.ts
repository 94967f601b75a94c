import type { JsonObject } from '../../../schema/json/json.ts';

/** An operation of the document, with its method and its path below its server. */
export type Described = readonly [path: string, method: string, operation: JsonObject];
