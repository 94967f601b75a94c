import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import type { PluginModels } from '../models/plugin-models.ts';
import type { Plugin } from './plugin.ts';

/** Thrown if a plugin fails to load its facts about models. */
export class PluginModelsError extends Error {
  override readonly name = 'PluginModelsError';
  /** How to fix it. */
  readonly hint = 'Correct the plugin, or remove it from the gateway file.';
}

/** Loads a plugin's facts about models. Returns undefined if it has none. Throws a `PluginModelsError` if loading fails. */
export const loadModels = async (plugin: Plugin): Promise<PluginModels | undefined> => {
  try {
    const known = await plugin.models?.();
    if (known === undefined || Array.isArray(known.facts)) return known;
    throw new TypeError('it does not return lists of facts');
  } catch (error) {
    const why = toSentence(errorText(error));
    throw new PluginModelsError(`The plugin "${plugin.name}" cannot provide its facts about models: ${why}`, {
      cause: error,
    });
  }
};
