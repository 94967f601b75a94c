import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import type { CommandCalls, OwnCallsOptions } from '../runtime/cli/configure/command-calls.ts';

/** Prepares the calls of a command. Throws a `UsageError` for connection settings that cannot be used. */
export const openGatewayCalls = async (options: OwnCallsOptions): Promise<CommandCalls> => {
  const [{ openCommandCalls }, { ServeFailure }] = await Promise.all([
    import('../runtime/cli/configure/command-calls.ts'),
    import('../runtime/cli/settings/serve-failure.ts'),
  ]);
  try {
    return await openCommandCalls(options);
  } catch (error) {
    if (!(error instanceof ServeFailure)) throw error;
    throw new UsageError(error.message, 'Find out more with gw doctor.');
  }
};
