import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import type { KnownModels } from '../plugins/control/cli/command-line/services.ts';
import { systemClock } from '../runtime/memory/system-clock.ts';
import { lateModelCatalogue } from '../runtime/model-facts/late-model-catalogue.ts';
import { errorText } from '../schema/text/error-text.ts';
import { type FoundEnvironment, readFoundEnvironment } from './found-environment.ts';

/** The names by which providers are asked for: ids, aliases, and what is saved as `@slug`. */
export const providerNames = ({ environment: { catalogue, saved } }: FoundEnvironment): ReadonlyMap<string, string> =>
  new Map([
    ...[...catalogue.providers].map(([name, { id }]) => [name, id] as const),
    ...Object.keys(saved.providers).map((slug) => [`@${slug}`, `@${slug}`] as const),
  ]);

/** Everything that is known of models, with a gateway file or without. Throws a `UsageError` for files with errors. */
export const listModels = async (io: CommandIo, gatewayFile: string | undefined): Promise<KnownModels> => {
  const found = await readFoundEnvironment(io, gatewayFile);
  const { plugins, settings } = found.environment;
  const catalogue = lateModelCatalogue({ plugins, settings, gatewayFile: found.file, now: systemClock.wall });
  const facts = await (await catalogue()).list().catch((error: unknown) => {
    throw new UsageError(errorText(error), 'Or remove the file.');
  });
  return { facts, providers: providerNames(found) };
};
