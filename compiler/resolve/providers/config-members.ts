import type { Config } from '../../../schema/generated/config.ts';
import type { Json } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';

/** Returns the members of a config by their names. The validator has checked that they are JSON. */
export const configMembers = (config: Config): { readonly [field: string]: Json | undefined } =>
  config as { readonly [field: string]: Json | undefined };

/** Whether a config has a field with a value other than an empty string. */
export const isGiven = (config: Config, field: string): boolean => {
  const value = lookUp(configMembers(config), field);
  return value !== undefined && value !== '';
};
