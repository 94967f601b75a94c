import type { Manifest } from './manifest.ts';
import type { ProblemText } from './plugin-entry.ts';
import { rangeError } from './range-error.ts';
import { readPermissions } from './read-permissions.ts';

/** Reports invalid permissions. */
export const permissionsError = (plugin: string, declared: unknown): ProblemText | undefined => {
  const { errors } = readPermissions(declared);
  if (errors === undefined) return undefined;
  return {
    code: 'wrong-permissions',
    message: `The permissions of the plugin "${plugin}" are not valid: ${errors.join('; ')}.`,
    hint: 'Correct "gatewright.permissions" in its package.json, or "permissions" in definePlugin.',
  };
};

/** Returns why a plugin cannot be used, as far as its package.json shows, before any of its code runs. */
export const findError = (plugin: string, manifest: Manifest | undefined): ProblemText | undefined =>
  manifest === undefined ? undefined : (rangeError(plugin, manifest) ?? permissionsError(plugin, manifest.permissions));
