import type { JsonObject } from '../../../schema/json/json.ts';
import { textSetting } from './text-setting.ts';

/**
 * Returns a setting that is an id in a path: one segment, without characters that have a meaning there. Throws an `Error` that
 * names it.
 */
export const pathSetting = (settings: JsonObject, name: string): string => {
  const value = textSetting(settings, name);
  if (value === undefined) throw new Error(`${name} is missing.`);
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(value))
    throw new Error(`${name} must be an id of letters, digits, hyphens and underscores.`);
  return value;
};
