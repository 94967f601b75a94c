import { writeSync } from 'node:fs';

/**
 * Reports if the process exits while a plugin is being loaded, and makes it fail: a module that calls `process.exit(0)` would
 * otherwise let a check of configs pass.
 */
export const blameExit = async <Loaded>(plugin: string, load: () => Promise<Loaded>): Promise<Loaded> => {
  const ended = (): void => {
    process.exitCode ||= 1;
    writeSync(
      process.stderr.fd,
      `gw: The process ended while the plugin "${plugin}" was being loaded. Correct the plugin, or remove it from the gateway file.\n`,
    );
  };
  process.once('exit', ended);
  try {
    return await load();
  } finally {
    process.off('exit', ended);
  }
};
