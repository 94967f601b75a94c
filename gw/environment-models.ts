import type { Environment } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import { PluginModelsError } from '../plugins/sdk/plugin/load-models.ts';
import type { ModelCatalogue } from '../runtime/model-catalogue/create-model-catalogue.ts';
import type { ProviderLists } from '../runtime/model-catalogue/facts-file.ts';
import type { Target } from '../schema/plan/plan.ts';
import { targetModel, targetProvider } from '../schema/plan/target-model.ts';
import { errorText } from '../schema/text/error-text.ts';
import type { FoundEnvironment } from './environment/found-environment.ts';

/** Creates the catalogue of models from the plugins and the statements of a gateway file, and the lists beside it. */
export const modelCatalogue = async ({
  environment: { plugins, settings },
  file: gatewayFile,
}: FoundEnvironment): Promise<ModelCatalogue> => {
  const [{ createModelCatalogue }, { readFactsFile }, { factsFileOf }, { systemClock }] = await Promise.all([
    import('../runtime/model-catalogue/create-model-catalogue.ts'),
    import('../runtime/model-catalogue/facts-file.ts'),
    import('../schema/config/file-names.ts'),
    import('../runtime/in-memory/system-clock.ts'),
  ]);
  let lists: Promise<ProviderLists> | undefined;
  const readLists = (file: string) => (): Promise<ProviderLists> => {
    lists ??= readFactsFile(factsFileOf(file));
    return lists;
  };
  return createModelCatalogue({
    ...{ plugins, settings, now: systemClock.wall },
    readLists: gatewayFile === undefined ? undefined : readLists(gatewayFile),
  });
};

/** Ends a command if a file of providers' lists cannot be read, or if a plugin fails to provide its facts about models. */
export const unreadableLists = (error: unknown): never => {
  if (error instanceof PluginModelsError) throw new UsageError(error.message, error.hint);
  throw new UsageError(errorText(error), 'Or remove the file.');
};

/** Provides the facts about models and prices to `gw check` and `gw explain`. Everything is loaded when they first need it. */
export const environmentModels = (
  found: FoundEnvironment,
): Pick<Environment, 'findModel' | 'targetModel' | 'priceCall'> => {
  const { catalogue, settings } = found.environment;
  let made: Promise<ModelCatalogue> | undefined;
  const models = (): Promise<ModelCatalogue> => {
    made ??= modelCatalogue(found);
    return made;
  };
  const called = async (target: Target) => {
    const model = targetModel(target);
    const provider = catalogue.providers.get(targetProvider(target) ?? '');
    if (provider === undefined || model === undefined) return undefined;
    const [{ measureFilledCall, priceCall }, { systemClock }] = await Promise.all([
      import('../runtime/cli/filled-call.ts'),
      import('../runtime/in-memory/system-clock.ts'),
    ]);
    return { measureFilledCall, priceCall, call: { target, provider, model, settings, at: systemClock.wall() } };
  };
  return {
    findModel: async () => (await models()).withoutTable().catch(unreadableLists),
    targetModel: async (target) => {
      const { from } = target;
      const [provider, model] = [targetProvider(target), targetModel(target)];
      if (provider === undefined || model === undefined) return undefined;
      const find = await (await models()).ofProvider(provider).catch(unreadableLists);
      const facts = find(model, from.kind === 'saved' ? from.slug : undefined);
      const measured = facts && (await called(target));
      return facts && measured && { facts, ...(await measured.measureFilledCall({ ...measured.call, facts })) };
    },
    priceCall: async (target, tokens) => {
      const priced = await called(target);
      return priced?.priceCall(priced.call, tokens);
    },
  };
};
