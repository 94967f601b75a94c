import type { ModelCatalogue } from '../runtime/model-facts/create-model-catalogue.ts';
import type { FoundEnvironment } from './found-environment.ts';

/** What is known of models with the plugins and the statements of a gateway file, and with the lists beside it. */
export const modelCatalogue = async ({
  environment: { plugins, settings },
  file,
}: FoundEnvironment): Promise<ModelCatalogue> => {
  const [{ createModelCatalogue }, { factsFileOf }, { systemClock }] = await Promise.all([
    import('../runtime/model-facts/create-model-catalogue.ts'),
    import('../schema/model-facts/facts-file-of.ts'),
    import('../runtime/memory/system-clock.ts'),
  ]);
  const factsFile = file === undefined ? undefined : factsFileOf(file);
  return createModelCatalogue({ plugins, settings, factsFile, now: systemClock.wall });
};
