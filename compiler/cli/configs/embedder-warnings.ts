import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { childPointer, rootPointer } from '../../../schema/json/pointer.ts';
import { modelKinds } from '../../../schema/model-facts/capability.ts';
import type { ModelFacts } from '../../../schema/model-facts/model-facts.ts';
import type { CommandServices, Environment } from '../command-line/services.ts';
import { ofModels } from './virtual-model-warnings.ts';

const pointer = childPointer(rootPointer, 'cache', 'semantic', 'model');

/** Whether a model is known not to make vectors. */
const makesNone = ({ capabilities, lacks }: ModelFacts): boolean =>
  lacks.includes('embeddings') ||
  (!capabilities.includes('embeddings') && modelKinds.some((kind) => capabilities.includes(kind)));

/**
 * Reports if the semantic cache of a gateway file names a misspelt model, one that its provider will reject, or one that makes no
 * vectors.
 */
export const embedderWarnings = async (
  { compile }: Pick<CommandServices, 'compile'>,
  environment: Environment,
): Promise<readonly Diagnostic[]> => {
  const { diagnose, saved, catalogue, embedder, findModel } = environment;
  const slug = embedder?.provider.slice(1) ?? '';
  const found = lookUp(saved.providers, slug);
  const provider = catalogue.providers.get(found?.provider ?? '');
  if (diagnose === undefined || embedder === undefined || provider === undefined) return [];
  const { model } = embedder;
  const { diagnostics } = await compile(JSON.stringify({ provider: embedder.provider, override_params: { model } }), {
    ...{ environment, name: 'semantic-cache', file: 'semantic-cache', findingsOnly: true },
  });
  // A server at another host has models of its own, and so do deployments.
  const hasOwnModels = found?.settings?.custom_host !== undefined || provider.settingsModels !== undefined;
  const facts = hasOwnModels ? undefined : (await findModel?.())?.(provider.id, model, slug);
  const ofName = diagnostics.filter(({ code }) => ofModels.some((each) => each === code));
  return [
    ...ofName.map(({ code, message, hint = '' }) => diagnose({ code, pointer, severity: 'warning', message, hint })),
    ...(facts !== undefined && makesNone(facts)
      ? [
          diagnose({
            ...{ code: 'no-embeddings', pointer, severity: 'warning' },
            message: `The model "${model}" of "${provider.id}" is not a known embedding model.`,
            hint: `Name an embedding model: gw models --provider ${provider.id} --capabilities embeddings lists them. If it is one, add it under "model_facts".`,
          }),
        ]
      : []),
  ];
};
