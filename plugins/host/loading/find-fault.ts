import type { Manifest } from './manifest.ts';
import type { ProblemText } from './plugin-entry.ts';
import { rangeFault } from './range-fault.ts';
import { readPermissions } from './read-permissions.ts';

/** Reports permissions that are not valid. */
export const permissionsFault = (plugin: string, declared: unknown): ProblemText | undefined => {
  const { faults } = readPermissions(declared);
  if (faults === undefined) return undefined;
  return {
    code: 'wrong-permissions',
    message: `The permissions of the plugin "${plugin}" are not valid: ${faults.join('; ')}.`,
    hint: 'Correct "gatewright.permissions" in its package.json, or "permissions" in definePlugin.',
  };
};

/** Why a plugin cannot be used, as far as its package.json reports before any of its code runs. */
export const findFault = (plugin: string, manifest: Manifest | undefined): ProblemText | undefined =>
  manifest === undefined ? undefined : (rangeFault(plugin, manifest) ?? permissionsFault(plugin, manifest.permissions));
