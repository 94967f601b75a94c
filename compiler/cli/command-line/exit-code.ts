/**
 * 0: done. 1: there are diagnostics of severity error, the work failed, or two things differ. 2: the command cannot be run as
 * given.
 */
export type ExitCode = 0 | 1 | 2;
