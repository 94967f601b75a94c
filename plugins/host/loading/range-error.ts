import semver from 'semver';
import { sdkVersion } from '../../sdk/plugin/plugin.ts';
import type { Manifest } from './manifest.ts';
import { ownVersion } from './own-version.ts';
import type { ProblemText } from './plugin-entry.ts';

interface Requirement {
  /** The requirement: `the plugin SDK`. */
  readonly what: string;
  /** The member of package.json that states it. */
  readonly member: string;
  readonly range: string | undefined;
  readonly version: string;
}

const requirementError = (plugin: string, { what, member, range, version }: Requirement): ProblemText | undefined => {
  if (range === undefined) return undefined;
  if (semver.validRange(range) === null)
    return {
      code: 'wrong-sdk-range',
      message: `The plugin "${plugin}" specifies "${range}" as its range of ${what}, which is not a version range.`,
      hint: `Correct "${member}" in its package.json: "^${version}" is a range.`,
    };
  // A prerelease of this package is meant for trying plugins.
  if (semver.satisfies(version, range, { includePrerelease: true })) return undefined;
  return {
    code: 'wrong-sdk-range',
    message: `The plugin "${plugin}" requires ${what} in the range ${range}, but this is version ${version}.`,
    hint: `Install a version of the plugin for ${what} ${version}, or a gateway in its range ("${member}" in its package.json).`,
  };
};

/** Returns why a plugin does not support this gateway, by the version ranges in its package.json, or `undefined` if it does. */
export const rangeError = (plugin: string, { sdk, gatewright }: Manifest): ProblemText | undefined =>
  requirementError(plugin, { what: 'the plugin SDK', member: 'gatewright.sdk', range: sdk, version: sdkVersion }) ??
  (gatewright === undefined
    ? undefined
    : requirementError(plugin, {
        what: 'Gatewright',
        member: 'peerDependencies.gatewright',
        range: gatewright,
        version: ownVersion(),
      }));
