import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import { errorText, toError } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { PluginError } from './plugin-error.ts';

type Tap = Hooks['close']['taps'][number];

const closed = async ({ type, fn }: Tap): Promise<void> => {
  if (type !== 'async') await fn();
  else
    await new Promise<void>((settle, reject) => {
      fn((error: unknown) => (error ? reject(toError(error)) : settle()));
    });
};

/**
 * Closes all plugins: the taps of each in order, but all plugins at the same time, because one that fails or never ends would
 * keep the others from writing what they hold. Settles when all have ended, with an error for each tap that failed.
 */
export const closePlugins = async ({ close }: Hooks): Promise<readonly PluginError[]> => {
  const errors: PluginError[] = [];
  const ofPlugin = async (name: string, taps: readonly Tap[]): Promise<void> => {
    for (const tap of taps)
      try {
        await closed(tap);
      } catch (error) {
        const why = toSentence(errorText(error));
        errors.push(new PluginError(`The plugin "${name}" failed while it closed: ${why}`, { cause: error }));
      }
  };
  const byPlugin = Map.groupBy(close.taps, ({ name }) => name);
  await Promise.all(Array.from(byPlugin, ([name, taps]) => ofPlugin(name, taps)));
  return errors;
};
