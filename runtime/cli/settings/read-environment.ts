import { resolve } from 'node:path';
import { gatewayFileNames, gatewayFileOf } from '../../../schema/config/file-names.ts';
import { unreadableReason } from '../../watched-files/unreadable-reason.ts';
import type { ServeEnvironment } from '../services/serve-environment.ts';
import type { ServeServices, TextFile } from '../services/serve-services.ts';
import { ServeFailure } from './serve-failure.ts';
import { type ServeOptions, UsageError } from './serve-options.ts';

/** Returns the gateway file that the command line names, or else the one in this folder, if any. */
const findGatewayFile = async ({ config }: ServeOptions, { io }: ServeServices): Promise<TextFile | undefined> => {
  const read = async (name: string): Promise<TextFile | undefined> => {
    const file = resolve(io.cwd, name);
    const text = await io.readFile(file).catch((error: unknown) => {
      throw new ServeFailure(`The gateway file ${file} cannot be read. ${unreadableReason(error)}`);
    });
    return text === undefined ? undefined : { file, text };
  };
  if (config !== undefined) {
    const named = await read(config);
    if (named !== undefined) return named;
    throw new UsageError(
      `There is no gateway file at ${resolve(io.cwd, config)}. Name an existing file: gw serve --config FILE.`,
    );
  }
  const texts = new Map(await Promise.all(gatewayFileNames.map(async (name) => [name, await read(name)] as const)));
  const found = await gatewayFileOf(async (name) => texts.get(name) !== undefined);
  if (found.kind === 'several') throw new UsageError(`${found.message} ${found.hint}`);
  return found.kind === 'one' ? texts.get(found.name) : undefined;
};

export interface ReadEnvironment extends ServeEnvironment {
  /** The gateway file's path, if there is one. */
  readonly file?: string;
  /** The same file with its text. */
  readonly source?: TextFile;
}

/** Reads the gateway file and everything it names. Throws a `ServeFailure` if it has errors. Its warnings are printed. */
export const readEnvironment = async (options: ServeOptions, services: ServeServices): Promise<ReadEnvironment> => {
  const source = await findGatewayFile(options, services);
  const environment = await services.environment(source);
  if (source === undefined) return environment;
  const { diagnostics } = environment;
  if (diagnostics.length > 0) services.io.stderr(await services.render(diagnostics, source));
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new ServeFailure(`The gateway file ${source.file} has errors. Correct them and start the gateway again.`);
  return { ...environment, file: source.file, source };
};
