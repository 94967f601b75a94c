import { resolve } from 'node:path';
import { unreadableReason } from '../generations/unreadable-reason.ts';
import { ServeFailure } from './serve-failure.ts';
import type { ServeOptions } from './serve-options.ts';
import type { ServeEnvironment, ServeServices, TextFile } from './serve-services.ts';

const gatewayFile = 'gateway.json';

/** The gateway file that the command line names, or the one of this folder where there is one. */
const findGatewayFile = async ({ config }: ServeOptions, { io }: ServeServices): Promise<TextFile | undefined> => {
  const file = resolve(io.cwd, config ?? gatewayFile);
  const text = await io.readFile(file).catch((error: unknown) => {
    throw new ServeFailure(`The gateway file ${file} cannot be read. ${unreadableReason(error)}`);
  });
  if (text === undefined && config !== undefined)
    throw new ServeFailure(`There is no gateway file at ${file}. Name one that is there: gw serve --config FILE`);
  return text === undefined ? undefined : { file, text };
};

export interface ReadEnvironment extends ServeEnvironment {
  /** The gateway file's path, where there is one. */
  readonly file?: string;
}

/** The gateway file with all it names. Throws a `ServeFailure` where it has mistakes; its warnings are printed. */
export const readEnvironment = async (options: ServeOptions, services: ServeServices): Promise<ReadEnvironment> => {
  const source = await findGatewayFile(options, services);
  const environment = await services.environment(source);
  if (source === undefined) return environment;
  const { diagnostics } = environment;
  if (diagnostics.length > 0) services.io.stderr(await services.render(diagnostics, source));
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new ServeFailure(`The gateway file ${source.file} has mistakes. Correct them and start again.`);
  return { ...environment, file: source.file };
};
