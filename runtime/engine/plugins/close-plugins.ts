import type { Clock } from '../../../plugins/sdk/clock.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import { within } from '../../../plugins/sdk/time/within.ts';
import { errorText, toError } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { PluginError } from './plugin-error.ts';

/** How long a plugin may take to close, in milliseconds. Those of the gateway have limits of their own. */
const longestMs = 10_000;
const ofGateway = 'gatewright/';

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
 * keep the others from writing what they hold. Settles when all have ended or had 10 seconds, with an error for each tap that
 * failed and for each plugin that has not closed.
 */
export const closePlugins = async ({ close }: Hooks, clock: Pick<Clock, 'after'>): Promise<readonly PluginError[]> => {
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
  const bounded = (name: string, taps: readonly Tap[]): Promise<void> => {
    const closing = ofPlugin(name, taps);
    if (name.startsWith(ofGateway)) return closing;
    return within(clock, longestMs, closing).catch(() => {
      errors.push(new PluginError(`The plugin "${name}" did not close within ${longestMs / 1000} seconds.`));
    });
  };
  await Promise.all(Array.from(byPlugin, ([name, taps]) => bounded(name, taps)));
  return errors;
};
