import { CommandFailure, type ControlServices, type ExitCode } from '../command-line/services.ts';

/** Runs a command with its arguments. */
export type Run = (services: ControlServices, argv: readonly string[]) => Promise<ExitCode>;

/**
 * Writes the failure of a command as one line on standard error. Throws only errors that `services` throw for the user, and
 * unexpected errors.
 */
export const withFailures =
  (run: Run): Run =>
  async (services, argv) => {
    try {
      return await run(services, argv);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      services.err.write(`gw: ${`${error.message} ${error.hint}`.trimEnd()}\n`);
      return error.exitCode;
    }
  };
