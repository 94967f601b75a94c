import { setTimeout as sleep } from 'node:timers/promises';
import type { ExitCode } from '../../compiler/cli/command-line/exit-code.ts';
import type { CommandIo, CommandServices } from '../../compiler/cli/command-line/services.ts';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import { configFiles } from '../../compiler/cli/files/config-files.ts';
import { readGatewayFile } from '../../compiler/cli/files/read-environment.ts';
import { hashText } from '../../schema/json/canonical.ts';
import { findRouteFiles } from './find-route-files.ts';

/** How often the files are checked, in milliseconds. */
const lookEveryMs = 500;

const filesIn = async (work: Promise<readonly string[]>): Promise<readonly string[]> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
};

const readIfThere = (io: CommandIo, file: string): Promise<string> => io.readFile(file).catch(() => '');

interface Watched {
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly run: () => Promise<ExitCode>;
}

/** Returns a fingerprint of the tests, of the configs in the working folder, and of the gateway file. */
const fingerprint = async (services: CommandServices, { paths, config }: Watched): Promise<string> => {
  const { io } = services;
  const gatewayFile = await readGatewayFile(services, config);
  const configs = configFiles(io, ['.', ...paths], { gatewayFile, deep: true });
  const files = [
    ...(await filesIn(findRouteFiles(io, paths))),
    ...(await filesIn(configs.then((found) => found.map(({ file }) => file)))),
    ...(gatewayFile === undefined ? [] : [gatewayFile]),
  ];
  const texts = await Promise.all(files.map(async (file) => `${file}\n${await readIfThere(io, file)}`));
  return hashText(texts.join('\n'));
};

/**
 * Runs tests now, and again whenever a file has changed, until the process ends. A wrong path is an error only the first time.
 */
export const watchTests = async (services: CommandServices, watched: Watched): Promise<ExitCode> => {
  const { out, err } = services.io;
  let before = await fingerprint(services, watched);
  await watched.run();
  for (;;) {
    out.write('Waiting for changes; Ctrl+C ends it.\n\n');
    let now = before;
    while (now === before) {
      await sleep(lookEveryMs);
      now = await fingerprint(services, watched);
    }
    before = now;
    try {
      await watched.run();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      err.write(`gw: ${error.message} ${error.hint}\n`);
    }
  }
};
