import type { ExitCode } from './services.ts';

/** A command ends without having done its work: the fact in one sentence, and what to do in another. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly hint: string;
  readonly exitCode: ExitCode;

  constructor(fact: string, hint: string, exitCode: ExitCode = 2) {
    super(fact);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** Ends a command that cannot be run as given. */
export const unusable = (fact: string, hint: string): CommandFailure => new CommandFailure(fact, hint, 2);

/** Ends a command whose work failed. */
export const failed = (fact: string, hint: string): CommandFailure => new CommandFailure(fact, hint, 1);
