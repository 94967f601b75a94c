import type { JsonObject } from '../../../schema/json/json.ts';
import type { Provider } from './provider.ts';
import { filledSettings } from './provider-settings.ts';

/** A provider's own base URL under some settings, or a sentence that says why there is none. Neither is set if none is needed. */
export interface OwnBaseUrl {
  readonly url?: string;
  readonly why?: string;
}

export const readBaseUrl = (provider: Provider | undefined, settings: JsonObject): OwnBaseUrl => {
  if (provider === undefined || provider.inProcess !== undefined) return {};
  const { baseUrl } = provider;
  if (baseUrl === undefined) return { why: 'it has no address of its own, so it needs a custom_host.' };
  if (typeof baseUrl === 'string') return { url: baseUrl };
  try {
    return { url: baseUrl(filledSettings(provider, settings)) };
  } catch (error) {
    // The provider reports this with an `Error` that names the setting.
    return { why: error instanceof Error ? error.message : 'a setting is missing.' };
  }
};
