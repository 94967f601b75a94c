import type { JsonObject } from '../../../schema/json/json.ts';

/** Returns a setting that is a non-empty string. */
export const textSetting = (settings: JsonObject, name: string): string | undefined => {
  const value = settings[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Returns a setting that is one label of a host name, in lower case. Throws an `Error` that names it. */
export const hostLabel = (settings: JsonObject, name: string, example: string): string => {
  const value = textSetting(settings, name);
  if (value === undefined) throw new Error(`${name} is missing.`);
  if (!/^[A-Za-z0-9-]{1,63}$/.test(value))
    throw new Error(`${name} must be one label of a host, such as "${example}".`);
  return value.toLowerCase();
};
