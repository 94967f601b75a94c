import type { PreparedTarget } from '../../target/prepared-target.ts';

/**
 * Returns the model as the provider names it in bodies. For a request that names none, the one that the settings name for it.
 * Undefined if neither names one.
 */
export const servedModel = (
  model: string | undefined,
  { provider, settings }: Pick<PreparedTarget, 'provider' | 'settings'>,
): string | undefined => {
  if (provider.bodyModel === undefined) return model;
  return model === undefined ? provider.settingsModels?.(settings)[0] : provider.bodyModel(model, settings);
};

/** Returns the same request, or conversation, with the model as the provider names it in bodies. */
export const withServedModel = <Asked extends { readonly model?: string }>(
  asked: Asked,
  target: PreparedTarget,
): Asked => {
  const model = servedModel(asked.model, target);
  return model === undefined || model === asked.model ? asked : { ...asked, model };
};
