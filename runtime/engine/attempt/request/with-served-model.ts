import type { PreparedTarget } from '../../target/prepared-target.ts';

/** The same request, or conversation, with the model as the provider names it in bodies. */
export const withServedModel = <Asked extends { readonly model?: string }>(
  asked: Asked,
  { provider, settings }: PreparedTarget,
): Asked =>
  provider.bodyModel === undefined || asked.model === undefined
    ? asked
    : { ...asked, model: provider.bodyModel(asked.model, settings) };
