import { writeSync } from 'node:fs';
import type { Environment } from '../compiler/cli/command-line/services.ts';

/**
 * Names the plugin that threw outside of any request; that leaves the process in an unknown state, so Node ends it. The
 * operator learns whose it was, and what keeps it from ending the gateway again.
 */
export const attributeCrash = async ({ pluginDetails = [] }: Environment): Promise<void> => {
  const modules = pluginDetails.filter(({ isIsolated }) => !isIsolated);
  if (modules.length === 0) return;
  const { blamedPlugin } = await import('../plugins/host/loading/blamed-plugin.ts');
  process.on('uncaughtExceptionMonitor', (error) => {
    const plugin = blamedPlugin(error.stack ?? '', modules);
    const advice = 'Checks can run in a process of their own: "isolate": true in the gateway file.';
    if (plugin !== undefined)
      writeSync(
        2,
        `gw: The plugin "${plugin}" threw an error outside of any request, which ends the gateway. ${advice}\n`,
      );
  });
};
