import type { Config } from '../../../schema/generated/config.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { configMembers } from './config-members.ts';

/** Returns the members of a config that a provider reads, by field name. */
export const ownProviderSettings = (config: Config, fields: readonly string[]): JsonObject =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = lookUp(configMembers(config), field);
      return value === undefined ? [] : [[field, value] as const];
    }),
  );
