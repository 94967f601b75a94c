import type { JsonObject } from '../../../schema/json/json.ts';
import type { Provider } from './provider.ts';
import { filledSettings } from './provider-settings.ts';
import { readBaseUrl } from './read-base-url.ts';

const findStorage = (provider: Provider, settings: JsonObject): string | undefined => {
  try {
    return provider.storageOrigin?.(filledSettings(provider, settings));
  } catch {
    return undefined;
  }
};

/** Everywhere that a provider's credential goes under some settings, as one text. */
const readOrigins = (provider: Provider, settings: JsonObject): string => {
  const { url } = readBaseUrl(provider, settings);
  const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
  return JSON.stringify([origin, findStorage(provider, settings)]);
};

/** The names of the settings that, laid over those of a saved provider, make its address another one: a resource name, for instance. */
export const divertingSettings = (provider: Provider, saved: JsonObject, own: JsonObject): readonly string[] => {
  const home = readOrigins(provider, saved);
  const alone = Object.keys(own).filter(
    (field) => readOrigins(provider, { ...saved, [field]: own[field] ?? null }) !== home,
  );
  if (alone.length > 0) return alone;
  // Some settings lead elsewhere only together.
  return readOrigins(provider, { ...saved, ...own }) === home ? [] : Object.keys(own);
};
