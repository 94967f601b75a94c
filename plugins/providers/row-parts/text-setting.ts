import type { JsonObject } from '../../../schema/json/json.ts';

/** A setting that is a non-empty string. */
export const textSetting = (settings: JsonObject, name: string): string | undefined => {
  const value = settings[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
