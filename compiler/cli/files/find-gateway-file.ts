import { gatewayFileOf } from '../../../schema/config/file-names.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

/**
 * Returns the gateway file of a command that works without one: the named file, or that of the working folder; undefined if there
 * is neither. Throws a `UsageError` if the folder has two, or cannot be searched.
 */
export const findGatewayFile = async (
  io: Pick<CommandIo, 'readKind' | 'realPath'>,
  given: string | undefined,
): Promise<string | undefined> => {
  if (given !== undefined) return given;
  const found = await gatewayFileOf(async (name) => (await io.readKind(name)) === 'file');
  if (found.kind === 'several') {
    const { refuseUnsearchable } = await import('./refuse-unsearchable.ts');
    await refuseUnsearchable(io, found.first);
    throw new UsageError(found.message, found.hint);
  }
  return found.kind === 'one' ? found.name : undefined;
};
