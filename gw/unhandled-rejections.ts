import type { TextOutput } from '../compiler/cli/command-line/services.ts';
import { toError } from '../schema/text/error-text.ts';

/** Logs unhandled rejections, such as plugins may cause. They end neither a command nor the requests of others. */
export const logUnhandledRejections = ({ err }: { readonly err: Pick<TextOutput, 'write'> }): void => {
  process.on('unhandledRejection', (reason) => {
    const error = toError(reason);
    // The stack of an error that was only made of it here would name this file.
    const shown = error === reason ? (error.stack ?? error.message) : error.message;
    err.write(`gw: Nothing handles the rejection of a promise, in a plugin or in the gateway itself: ${shown}\n`);
  });
};
