import type { JsonObject } from '../../../schema/json/json.ts';
import { baseUrlOf } from './base-url-of.ts';
import type { Provider } from './provider.ts';
import { filledSettings } from './provider-settings.ts';

const storageOf = (provider: Provider, settings: JsonObject): string | undefined => {
  try {
    return provider.storageOrigin?.(filledSettings(provider, settings));
  } catch {
    return undefined;
  }
};

/** Everywhere that a provider's credential goes under some settings, as one text. */
const originsOf = (provider: Provider, settings: JsonObject): string => {
  const { url } = baseUrlOf(provider, settings);
  const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
  return JSON.stringify([origin, storageOf(provider, settings)]);
};

/** The names of the settings that, laid over those of a saved provider, make its address another one: a resource name, for instance. */
export const divertingSettings = (provider: Provider, saved: JsonObject, own: JsonObject): readonly string[] => {
  const home = originsOf(provider, saved);
  const alone = Object.keys(own).filter(
    (field) => originsOf(provider, { ...saved, [field]: own[field] ?? null }) !== home,
  );
  if (alone.length > 0) return alone;
  // Some settings lead elsewhere only together.
  return originsOf(provider, { ...saved, ...own }) === home ? [] : Object.keys(own);
};
