import type { Plugin, RunningGateway } from '../../../plugins/sdk/plugin/plugin.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { PluginError } from './plugin-error.ts';

/** Lets a plugin start its background work. Throws a `PluginError` that names the plugin. */
export const startPlugin = (plugin: Plugin, gateway: RunningGateway): void => {
  try {
    plugin.start?.(gateway);
  } catch (error) {
    throw new PluginError(`The plugin "${plugin.name}" failed in start: ${toSentence(errorText(error))}`, {
      cause: error,
    });
  }
};
