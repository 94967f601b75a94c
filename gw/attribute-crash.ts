import { writeSync } from 'node:fs';
import type { Environment } from '../compiler/cli/command-line/services.ts';
import { errorText } from '../schema/text/error-text.ts';
import { printable } from '../schema/text/printable.ts';

/**
 * Prints the name of a plugin that calls `process.exit`, and makes the process fail: with the exit code 0, nothing would restart
 * a gateway, and a check of configs would pass.
 */
const blameExit = (plugin: string | undefined, what: string): void => {
  if (plugin === undefined) return;
  process.exitCode ||= 1;
  writeSync(
    2,
    `gw: The plugin "${plugin}" called process.exit, which ends the ${what}. Correct the plugin, or remove it from the gateway file.\n`,
  );
};

/** Calls `blame` for an error that the code of a plugin in this process threw outside of any request. */
const onCrash = async (
  { pluginDetails = [] }: Environment,
  what: 'gateway' | 'command',
  blame: (plugin: string, error: Error) => void,
): Promise<void> => {
  const modules = pluginDetails.filter(({ isIsolated }) => !isIsolated);
  if (modules.length === 0) return;
  const { blamedPlugin } = await import('../plugins/host/loading/blamed-plugin.ts');
  process.on('uncaughtExceptionMonitor', (error) => {
    const plugin = blamedPlugin(error.stack ?? '', modules);
    if (plugin !== undefined) blame(plugin, error);
  });
  // The listener runs inside process.exit, so the stack has the lines of the caller.
  process.on('exit', () => blameExit(blamedPlugin(new Error().stack ?? '', modules), what));
};

/**
 * Prints the name of a plugin that throws outside of any request. That leaves the process in an unknown state, so Node ends it.
 * The message states which plugin it was, and how to prevent it from ending the gateway again.
 */
export const attributeCrash = async (environment: Environment): Promise<void> => {
  const advice = 'Checks can run in a process of their own: "isolate": true in the gateway file.';
  await onCrash(environment, 'gateway', (plugin) =>
    writeSync(
      2,
      `gw: The plugin "${plugin}" threw an error outside of any request, which ends the gateway. ${advice}\n`,
    ),
  );
};

/**
 * Ends a command if a plugin throws on its own, for example from a timer, because the command cannot be completed. Prints the
 * name of the plugin and the error.
 */
export const endOnCrash = (environment: Environment): Promise<void> =>
  onCrash(environment, 'command', (plugin, error) => {
    const why = printable(errorText(error)).replace(/\.$/, '');
    writeSync(
      2,
      `gw: The plugin "${plugin}" threw an error by itself, which ends the command: ${why}. Correct the plugin, or remove it from the gateway file.\n`,
    );
    process.exit(2);
  });
