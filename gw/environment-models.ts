import type { Environment } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import type { ModelCatalogue } from '../runtime/model-facts/create-model-catalogue.ts';
import type { ProviderLists } from '../runtime/model-facts/facts-file.ts';
import { targetModel } from '../schema/plan/target-model.ts';
import { errorText } from '../schema/text/error-text.ts';
import type { FoundEnvironment } from './environment/found-environment.ts';

/** Makes the catalogue of models with the plugins and the statements of a gateway file, and with the lists beside it. */
export const modelCatalogue = async ({
  environment: { plugins, settings },
  file: gatewayFile,
}: FoundEnvironment): Promise<ModelCatalogue> => {
  const [{ createModelCatalogue }, { readFactsFile }, { factsFileOf }, { systemClock }] = await Promise.all([
    import('../runtime/model-facts/create-model-catalogue.ts'),
    import('../runtime/model-facts/facts-file.ts'),
    import('../schema/config/file-names.ts'),
    import('../runtime/memory/system-clock.ts'),
  ]);
  let lists: Promise<ProviderLists> | undefined;
  const readLists = async (): Promise<ProviderLists> => {
    if (gatewayFile === undefined) return {};
    lists ??= readFactsFile(factsFileOf(gatewayFile));
    return lists;
  };
  return createModelCatalogue({ plugins, settings, readLists, now: systemClock.wall });
};

/** Ends a command for which a file of providers' lists cannot be read. */
export const unreadableLists = (error: unknown): never => {
  throw new UsageError(errorText(error), 'Or remove the file.');
};

/** Gives `gw check` and `gw explain` the facts of models; everything is loaded when they ask. */
export const environmentModels = (found: FoundEnvironment): Pick<Environment, 'findModel' | 'targetModel'> => {
  const { catalogue, settings } = found.environment;
  let made: Promise<ModelCatalogue> | undefined;
  const models = (): Promise<ModelCatalogue> => {
    made ??= modelCatalogue(found);
    return made;
  };
  return {
    findModel: async () => (await models()).withoutTable().catch(unreadableLists),
    targetModel: async (target) => {
      const { from } = target;
      const model = targetModel(target);
      if ((from.kind !== 'inline' && from.kind !== 'saved') || model === undefined) return undefined;
      const provider = catalogue.providers.get(from.provider);
      const find = await (await models()).ofProvider(from.provider).catch(unreadableLists);
      const facts = find(model, from.kind === 'saved' ? from.slug : undefined);
      if (facts === undefined || provider === undefined) return undefined;
      const [{ measureFilledCall }, { systemClock }] = await Promise.all([
        import('../runtime/cli/filled-call.ts'),
        import('../runtime/memory/system-clock.ts'),
      ]);
      const at = systemClock.wall();
      return { facts, ...(await measureFilledCall({ target, provider, model, facts, settings, at })) };
    },
  };
};
