import type { TextOutput } from '../compiler/cli/command-line/services.ts';
import { toError } from '../schema/text/error-text.ts';

/** Logs unhandled rejections, such as plugins may cause. They end neither a command nor the requests of others. */
export const logUnhandledRejections = ({ err }: { readonly err: Pick<TextOutput, 'write'> }): void => {
  process.on('unhandledRejection', (reason) => {
    const { stack, message } = toError(reason);
    err.write(
      `gw: A promise was rejected, and nobody had asked for it. It is a plugin's, or a fault here: ${stack ?? message}\n`,
    );
  });
};
