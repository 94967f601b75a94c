import type { Json } from '../../../../schema/json/json.ts';
import { seenJson } from '../../../../schema/json/seen-json.ts';

/** A value as JSON on one line, for programs and terminals. */
export const jsonLine = (value: Json): string => `${seenJson(JSON.stringify(value))}\n`;

/** A value as JSON for programs and terminals: what a terminal would not show as a character is escaped. Ends with a line break. */
export const jsonOutput = (value: Json): string => `${seenJson(JSON.stringify(value, undefined, 2))}\n`;
