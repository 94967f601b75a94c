import type { JsonObject } from '../../../schema/json/json.ts';

/** An operation of the document, with its path below its server, and its method. */
export type Described = readonly [path: string, method: string, operation: JsonObject];
