import type { TextOutput } from '../compiler/commands/services.ts';
import { toError } from '../schema/error-text.ts';

/** A promise that a plugin made and forgot is told of; it ends neither a command nor the requests of everybody else. */
export const outliveRejections = ({ err }: { readonly err: Pick<TextOutput, 'write'> }): void => {
  process.on('unhandledRejection', (reason) => {
    const { stack, message } = toError(reason);
    err.write(
      `gw: A promise was rejected, and nobody had asked for it. It is a plugin's, or a fault here: ${stack ?? message}\n`,
    );
  });
};
