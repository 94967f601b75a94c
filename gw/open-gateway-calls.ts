import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import type { OwnCalls, OwnCallsOptions } from '../runtime/cli/configure/own-calls.ts';

/** Prepares the calls of a command. Throws a `UsageError` for connection settings that cannot be used. */
export const openGatewayCalls = async (options: OwnCallsOptions): Promise<OwnCalls> => {
  const [{ openOwnCalls }, { ServeFailure }] = await Promise.all([
    import('../runtime/cli/configure/own-calls.ts'),
    import('../runtime/cli/settings/serve-failure.ts'),
  ]);
  try {
    return await openOwnCalls(options);
  } catch (error) {
    if (!(error instanceof ServeFailure)) throw error;
    throw new UsageError(error.message, 'Find out more with gw doctor.');
  }
};
