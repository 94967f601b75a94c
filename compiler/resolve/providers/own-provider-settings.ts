import type { Config } from '../../../schema/generated/config.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';

/** Returns the members of a config that a provider reads, by field name. */
export const ownProviderSettings = (config: Config, fields: readonly string[]): JsonObject => {
  // The validator has checked that a config's members are JSON.
  const members = config as { readonly [field: string]: Json | undefined };
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = lookUp(members, field);
      return value === undefined ? [] : [[field, value] as const];
    }),
  );
};
