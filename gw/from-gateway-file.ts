import path from 'node:path';
import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import { findGatewayFile } from '../compiler/cli/files/find-gateway-file.ts';
import type { ReadEnvironment } from '../runtime/cli/settings/read-environment.ts';
import type { SecretReader } from '../runtime/cli/settings/secret-reader.ts';

interface GatewayFileUse<Value> {
  /** The value that the file lacks, as the end of a sentence. */
  readonly wanted: string;
  /** The advice for a file with errors, as the end of a sentence. */
  readonly otherwise: string;
  /** Reads the value. Throws a `ServeFailure`. */
  read(from: Pick<ReadEnvironment, 'settings' | 'file'>, secrets: SecretReader): Value | Promise<Value>;
}

/** Reads a value from the gateway file, as `gw serve` in this folder would; undefined if there is no file. */
export const fromGatewayFile = async <Value>(
  io: CommandIo,
  given: string | undefined,
  { wanted, otherwise, read }: GatewayFileUse<Value>,
): Promise<Value | undefined> => {
  const file = await findGatewayFile(io, given);
  if (file === undefined) return undefined;
  const [{ readText }, { readGatewayFile }, { secretReader }, { ServeFailure }] = await Promise.all([
    import('../compiler/cli/files/read-text.ts'),
    import('../compiler/cli/files/read-gateway-file.ts'),
    import('../runtime/cli/settings/secret-reader.ts'),
    import('../runtime/cli/settings/serve-failure.ts'),
  ]);
  const { settings, diagnostics } = readGatewayFile(await readText(io, file), file);
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new UsageError(
      `The gateway file ${file} has errors.`,
      `Find them with gw check --config ${file}${otherwise}.`,
    );
  try {
    return await read({ settings, file: path.resolve(io.cwd, file) }, secretReader(process.env));
  } catch (error) {
    if (!(error instanceof ServeFailure)) throw error;
    throw new UsageError(`The gateway file ${file} does not say ${wanted}.`, error.message);
  }
};
