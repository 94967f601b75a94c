import { nothingSaved } from '../../../schema/config/saved.ts';
import type { AskedStore, SavedConfig, SavedConfigVersion } from '../../../schema/config/saved-names.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { isPlanLabel } from '../../../schema/plan/hash-plan.ts';
import type { CommandServices, Environment } from '../command-line/services.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import { compileWithStore } from './compile-with-names.ts';
import { partlyReadNames, replaceNames } from './replace-names.ts';
import { mergeSaved, StoreNames } from './store-names.ts';

/** The plan that served the request of a log record, as the record names it. */
export interface RecordedPlan {
  /** The name of its config. */
  readonly config?: string;
  /** `name@hash`, with the hash shortened. */
  readonly plan?: string;
  /** Seconds since the epoch. */
  readonly time?: number;
  readonly status?: number;
  /** The code of the error that it ended with. */
  readonly cause?: string;
}

/** Reads what the text of a log record states about its plan. */
export const recordedPlan = (text: string): RecordedPlan => {
  const record = parseJson(text);
  const { config, plan, created_at: time, status, cause }: JsonObject = isJsonObject(record) ? record : {};
  return {
    ...(typeof config === 'string' && { config }),
    ...(typeof plan === 'string' && { plan }),
    ...(typeof time === 'number' && { time }),
    ...(typeof status === 'number' && { status }),
    ...(typeof cause === 'string' && { cause }),
  };
};

/** A version of a config in a store. */
export interface SavedVersion {
  readonly slug: string;
  readonly version: number;
  readonly inService: number;
  /** Whether it compiles to the plan that served the request of a record; absent without a record. */
  readonly isRecorded?: boolean;
}

export interface CompiledVersion extends CompiledFile {
  readonly saved: SavedVersion;
}

interface SavedConfigOptions {
  readonly environment: Environment;
  readonly store: AskedStore;
  readonly recorded: RecordedPlan | undefined;
  /** The number of the version. If absent, the one that served the recorded request, or the one in service. */
  readonly version?: number | undefined;
}

const compileVersion = async (
  services: Pick<CommandServices, 'compile'>,
  { slug, config }: SavedConfigVersion & Pick<SavedConfig, 'slug'>,
  {
    environment,
    names,
    origin,
  }: { readonly environment: Environment; readonly names: StoreNames; readonly origin: string },
): Promise<CompiledFile> => {
  const text = `${JSON.stringify(config, undefined, 2)}\n`;
  const options = { file: slug, name: slug, trust: 'saved' } as const;
  // Records of the store take precedence over those of the gateway file, so all names are looked up there.
  const { sought } = await compileWithStore(
    (saved) => services.compile(text, { ...options, environment: { ...environment, saved } }),
    names,
    (found) => mergeSaved(nothingSaved, found),
  );
  const saved = mergeSaved(environment.saved, names.saved);
  const { plan, diagnostics: found } = await services.compile(text, {
    ...options,
    environment: { ...environment, saved },
  });
  const diagnostics = [
    ...replaceNames(found, { names, missing: sought, saved, origin }),
    ...partlyReadNames(text, { names, missing: sought, file: slug }),
  ].map((each) => ({ ...each, file: slug }));
  return { file: slug, text, diagnostics, ...(plan !== undefined && { plan }) };
};

/**
 * Compiles a config of a store. Uses the requested version; otherwise the version that served the request of a record, if there
 * is a record and the version can be found; otherwise the version in service. Rejects with a `UsageError`.
 */
export const compileSavedConfig = async (
  services: Pick<CommandServices, 'compile'>,
  name: string,
  { environment, store, recorded, version: asked }: SavedConfigOptions,
): Promise<CompiledVersion> => {
  const names = new StoreNames(async () => store);
  const { slug, inService } = await store.config(name);
  const compiled = async (version: SavedConfigVersion): Promise<CompiledVersion> => {
    const options = { environment, names, origin: store.origin };
    const file = await compileVersion(services, { ...version, slug }, options);
    const isRecorded =
      recorded?.plan === undefined ? undefined : file.plan !== undefined && isPlanLabel(recorded.plan, file.plan);
    const saved = { slug, version: version.number, inService: inService.number };
    return { ...file, saved: { ...saved, ...(isRecorded !== undefined && { isRecorded }) } };
  };
  if (asked !== undefined && asked !== inService.number) return compiled(await store.version(slug, asked));
  const newest = await compiled(inService);
  if (recorded?.time === undefined || newest.saved.isRecorded === true) return newest;
  const versions = await store.versionsAt(slug, recorded.time);
  const candidates: CompiledVersion[] = [];
  for (const version of versions) {
    const candidate = version.number === inService.number ? newest : await compiled(version);
    if (candidate.saved.isRecorded === true) return candidate;
    candidates.push(candidate);
  }
  return candidates[0] ?? newest;
};

/** Describes the version as text, with a sentence on another config if that served the request. Ends with an empty line. */
export const savedVersionText = (
  { slug, version, inService, isRecorded }: SavedVersion,
  { plan }: RecordedPlan = {},
  other?: string,
): string => {
  const config = `Version ${version} of the config "${slug}"`;
  const now = version === inService ? 'which is in service' : `of which version ${inService} is in service now`;
  if (other !== undefined) return `${config}, ${now}. ${other}\n\n`;
  if (isRecorded === undefined) return `${config}, ${now}.\n\n`;
  if (isRecorded) return `${config}, ${now}, is the source of the plan that served the request.\n\n`;
  return `${config}, ${now}, was in service at that time, but today it compiles to another plan than ${plan}, which served the request: what it names has changed since, or default guardrails were added, which are not shown here.\n\n`;
};
