import type { JsonObject } from '../../../schema/json.ts';
import { parseObject } from './parse-json.ts';

/** The input of a call for a format in which it is an object. Text that is not an object is kept in a member of its own. */
export const toInput = (text: string): JsonObject =>
  parseObject(text) ?? (text.trim() === '' ? {} : { arguments: text });
