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

/** Returns all origins that a provider's credential may be sent to under some settings, as one text. */
const readOrigins = (provider: Provider, settings: JsonObject): string => {
  const { url } = readBaseUrl(provider, settings);
  const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
  return JSON.stringify([origin, findStorage(provider, settings)]);
};

/**
 * Returns the names of the settings that change the address when they override those of a saved provider, such as a resource
 * name.
 */
export const divertingSettings = (provider: Provider, saved: JsonObject, own: JsonObject): readonly string[] => {
  const home = readOrigins(provider, saved);
  const alone = Object.keys(own).filter(
    (field) => readOrigins(provider, { ...saved, [field]: own[field] ?? null }) !== home,
  );
  if (alone.length > 0) return alone;
  // Some settings change the address only in combination.
  return readOrigins(provider, { ...saved, ...own }) === home ? [] : Object.keys(own);
};
