import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { closestName } from '../../../schema/text/closest-name.ts';
import type { PluginReport, ProvidedRoute } from '../../sdk/plugin/plugin-report.ts';
import { readablePaths } from '../isolation/spawning/readable-paths.ts';
import { findError, permissionsError } from '../loading/find-error.ts';
import { findPlugin } from '../loading/find-plugin.ts';
import { ManifestError, readManifest } from '../loading/manifest.ts';
import type { ProblemText } from '../loading/plugin-entry.ts';
import { pluginHash } from '../loading/plugin-hash.ts';
import { toPermissions } from '../loading/read-permissions.ts';
import { type NamedThings, takenByGateway } from '../loading/taken-names.ts';
import { askChild } from './ask-child.ts';
import type { ChildReport } from './read-report.ts';
import { unpack } from './unpack.ts';
import { VerifyError } from './verify-error.ts';

export interface VerifyOptions {
  readonly cwd: string;
  /** The plugins whose names are taken. */
  readonly builtin: readonly NamedThings[];
  /** Returns why the gateway does not start with these routes of a plugin, in a sentence. */
  readonly routesError?: (plugin: string, routes: readonly ProvidedRoute[]) => string | undefined;
  /** The time-out in milliseconds; 15 s if absent. */
  readonly longestMs?: number;
}

const sentence = (error: ProblemText | undefined): readonly string[] =>
  error === undefined ? [] : [`${error.message} ${error.hint}`];

const undeclaredHooks = ({ hooks = [] }: ChildReport, declared: readonly string[]): readonly string[] =>
  hooks
    .filter((hook) => !declared.includes(hook))
    .map(
      (hook) => `It taps the hook "${hook}", which its permissions do not declare. Declare it: "hooks": ["${hook}"].`,
    );

/** Only names matter for deciding whether another plugin has them. */
const takenNames = (
  { name = '', providers, dialects, checks, caches, choosers, sinks, routes }: ChildReport,
  builtin: readonly NamedThings[],
): readonly string[] => {
  const named = {
    name,
    providers,
    dialects: dialects.map((id) => ({ id })),
    guardrails: checks.map((id) => ({ id })),
    caches: caches.map((mode) => ({ mode })),
    choosers: choosers.map((id) => ({ id })),
    sinks: sinks.map((id) => ({ id })),
    routes,
  };
  const clash = takenByGateway(builtin).take(named);
  return clash === undefined ? [] : [`It provides the ${clash.name}, which ${clash.owner} already provides.`];
};

/** A provider is never called in a dialect that does not exist. */
const unknownDialects = ({ providers, dialects }: ChildReport, builtin: readonly NamedThings[]): readonly string[] => {
  const known = [...builtin.flatMap((plugin) => (plugin.dialects ?? []).map(({ id }) => id)), ...dialects];
  return providers.flatMap(({ id, speaks }) =>
    speaks
      .filter((spoken) => !known.includes(spoken))
      .map((spoken) => {
        const meant = closestName(spoken, known);
        const hint = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
        return `The provider "${id}" speaks "${spoken}", which is a dialect neither of the gateway nor of the plugin. ${hint}`;
      }),
  );
};

const verifyFile = async (
  file: string,
  target: string,
  { cwd, builtin, routesError = () => undefined, longestMs = 15_000 }: VerifyOptions,
): Promise<PluginReport> => {
  const manifest = readManifest(file);
  // The folder that contains a named file may be anything, such as the operator's own project.
  const isPackage = manifest !== undefined && resolve(cwd, target) !== file;
  const entry = { package: (isPackage ? manifest.name : undefined) ?? target, pointer: rootPointer };
  const paths = readablePaths({ file, isPackage, manifest });
  const report = await askChild({ entry, file }, { readable: paths, longestMs });
  const early = findError(entry.package, manifest);
  const declared = manifest?.permissions ?? report.permissions;
  const permissions = toPermissions(declared);
  const own = manifest?.permissions === undefined ? permissionsError(entry.package, declared) : undefined;
  const name = report.name ?? entry.package;
  const { version, sdk = manifest?.gatewright } = manifest ?? {};
  return {
    name,
    ...(version === undefined ? {} : { version }),
    ...(sdk === undefined ? {} : { sdk }),
    provides: {
      providers: report.providers.map(({ id }) => id),
      dialects: report.dialects,
      checks: report.checks,
      caches: report.caches,
      choosers: report.choosers,
      sinks: report.sinks,
      routes: report.routes,
    },
    permissions,
    integrity: pluginHash(file, manifest),
    faults: [
      ...sentence(early),
      ...sentence(own),
      ...report.errors,
      ...takenNames(report, builtin),
      ...unknownDialects(report, builtin),
      ...[routesError(name, report.routes) ?? []].flat(),
      ...undeclaredHooks(report, permissions.hooks),
    ],
  };
};

const toFile = (target: string, cwd: string): string => {
  const path = resolve(cwd, target);
  const file = findPlugin(existsSync(path) ? path : target, cwd);
  if (file !== undefined) return file;
  throw existsSync(path)
    ? new VerifyError(
        `The folder ${target} has no module to load.`,
        'Build the package first, and name its module under "exports" in package.json.',
      )
    : new VerifyError(
        `There is no plugin "${target}".`,
        'Name an installed package, a folder, a file, or a tarball of npm pack.',
      );
};

const isTarball = (path: string): boolean =>
  /\.(tgz|tar\.gz)$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const verifyTarget = async (target: string, options: VerifyOptions): Promise<PluginReport> => {
  const path = resolve(options.cwd, target);
  if (!isTarball(path)) return verifyFile(toFile(target, options.cwd), target, options);
  const { folder, remove } = await unpack(path);
  try {
    return await verifyFile(toFile(folder, folder), target, options);
  } finally {
    remove();
  }
};

/**
 * Loads a plugin in a separate process and checks it. `target` is the name of a package, a folder, a file, or a tarball. Throws a
 * `VerifyError` if there is none, or if its `package.json` is not JSON.
 */
export const verifyPlugin = async (target: string, options: VerifyOptions): Promise<PluginReport> => {
  try {
    return await verifyTarget(target, options);
  } catch (error) {
    throw error instanceof ManifestError ? new VerifyError(error.message, 'Correct it, and try again.') : error;
  }
};
