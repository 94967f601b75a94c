import path from 'node:path';
import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import { writeFiles } from '../compiler/cli/files/write-files.ts';
import type { RefreshedModels } from '../plugins/control/cli/command-line/services.ts';
import type { ListOutcome, OwnTarget } from '../runtime/model-catalogue/refresh-lists.ts';
import { factsFileOf } from '../schema/config/file-names.ts';
import type { CompileResult } from '../schema/plan/plan.ts';
import { targetProvider } from '../schema/plan/target-model.ts';
import { errorText } from '../schema/text/error-text.ts';
import { nearestProviderHint } from '../schema/text/provider-hint.ts';
import { compileWithIsolated } from './environment/compile-with-isolated.ts';
import { type FoundEnvironment, readFoundEnvironment } from './environment/found-environment.ts';
import type { LoadedEnvironment } from './environment/loaded-environment.ts';
import { savedConfigs } from './environment/saved-configs.ts';
import { providerNames } from './list-models.ts';

interface OwnTexts {
  readonly targets: readonly OwnTarget[];
  /** The configs that have errors and were skipped. */
  readonly left: readonly string[];
}

const unreadableFolder = (error: unknown): never => {
  throw new UsageError(
    `The folder of configs cannot be read: ${errorText(error)}.`,
    'Correct "configs" in the gateway file.',
  );
};

/** Returns the targets of the gateway file's saved records, and of the configs in its folder. */
const ownTargets = async ({ environment, file }: FoundEnvironment): Promise<OwnTexts> => {
  const { saved, settings, isolated, plugins } = environment;
  const [{ compile }, { loadCatalogue }, { configsFolder }] = await Promise.all([
    import('../compiler/compile.ts'),
    import('../plugins/sdk/plugin/catalogue.ts'),
    import('../runtime/file-plans/configs-folder.ts'),
  ]);
  const catalogue = await loadCatalogue(plugins);
  const compileOwn = (text: string, name: string): Promise<CompileResult> =>
    compileWithIsolated(isolated, () => compile(text, { trust: 'operator', catalogue, saved, file: name }));
  const folder =
    file === undefined || settings.configs === undefined
      ? undefined
      : configsFolder(path.resolve(path.dirname(file), settings.configs), compileOwn);
  const files = (await folder?.read().catch(unreadableFolder)) ?? [];
  const targets: OwnTarget[] = [];
  const left: string[] = files.filter((each) => !('text' in each)).map(({ file: name }) => name);
  const inFolder = files.flatMap((each) => ('text' in each ? [{ name: each.file, text: each.text }] : []));
  for (const { name, text } of [...savedConfigs(saved), ...inFolder]) {
    const { plan, secrets } = await compileOwn(text, name);
    if (plan === undefined) left.push(name);
    else targets.push(...plan.targets.map((target) => ({ target, slots: secrets })));
  }
  return { targets, left };
};

/** Whether a target belongs to the requested provider: an id, or `@slug`. */
const isAsked = ({ target }: OwnTarget, asked: string | undefined): boolean =>
  asked === undefined ||
  (target.from.kind === 'saved' && asked === `@${target.from.slug}`) ||
  asked === targetProvider(target);

/** Returns the requested provider, by any of its names. Throws a `UsageError` for an unknown name. */
const askedProvider = (found: FoundEnvironment, name: string | undefined): string | undefined => {
  if (name === undefined) return undefined;
  const names = providerNames(found);
  const id = names.get(name) ?? names.get(`@${name}`);
  if (id === undefined)
    throw new UsageError(`There is no provider "${name}".`, nearestProviderHint(name, names.keys()));
  return id;
};

const readLists = async (
  { plugins, settings }: LoadedEnvironment,
  targets: readonly OwnTarget[],
): Promise<readonly ListOutcome[]> => {
  const [{ openGatewayCalls }, { refreshLists }, { systemClock }] = await Promise.all([
    import('./open-gateway-calls.ts'),
    import('../runtime/model-catalogue/refresh-lists.ts'),
    import('../runtime/in-memory/system-clock.ts'),
  ]);
  const { prepare, close } = await openGatewayCalls({ plugins, settings, env: process.env });
  try {
    return await refreshLists({ targets, plugins, prepare, clock: systemClock });
  } finally {
    await close();
  }
};

/** Adds the lists that were read to the file, beside those that were read before. */
const writeLists = async (
  io: CommandIo,
  file: string,
  read: readonly Extract<ListOutcome, { kind: 'read' }>[],
): Promise<void> => {
  const [{ factsFileText, readFactsFile }, { toDay }, { systemClock }] = await Promise.all([
    import('../runtime/model-catalogue/facts-file.ts'),
    import('../schema/model-facts/to-day.ts'),
    import('../runtime/in-memory/system-clock.ts'),
  ]);
  // A file that cannot be read is replaced.
  const before = await readFactsFile(file).catch(() => ({}));
  const asOf = toDay(systemClock.wall());
  const lists = [...Map.groupBy(read, ({ provider }) => provider)].map(
    ([provider, outcomes]) => [provider, { asOf, models: outcomes.flatMap(({ models }) => models) }] as const,
  );
  await writeFiles(
    new Map([[file, factsFileText({ ...before, ...Object.fromEntries(lists) })]]),
    { named: path.relative(io.cwd, file) },
    io,
  );
};

/**
 * Reads the lists of the providers for which a gateway file and its configs have credentials, and writes them beside it. Throws a
 * `UsageError` if there is nothing to read.
 */
export const refreshModels = async (
  io: CommandIo,
  { gatewayFile, provider }: { readonly gatewayFile: string | undefined; readonly provider: string | undefined },
): Promise<RefreshedModels> => {
  const found = await readFoundEnvironment(io, gatewayFile);
  const { environment, file } = found;
  if (file === undefined)
    throw new UsageError(
      'There is no gateway file here.',
      'Name one that saves providers: gw models refresh --config FILE.',
    );
  const asked = askedProvider(found, provider);
  const { targets, left } = await ownTargets(found);
  const outcomes = await readLists(
    environment,
    targets.filter((each) => isAsked(each, asked)),
  );
  const read = outcomes.filter((outcome) => outcome.kind === 'read');
  const written = factsFileOf(file);
  if (read.length > 0) await writeLists(io, written, read);
  return {
    outcomes: outcomes.map((outcome) =>
      outcome.kind === 'read' ? { kind: 'read', provider: outcome.provider, count: outcome.models.length } : outcome,
    ),
    left,
    gatewayFile: path.relative(io.cwd, file),
    file: path.relative(io.cwd, written),
  };
};
