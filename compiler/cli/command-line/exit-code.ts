/** 0: done. 1: there are diagnostics of severity error, or the work failed. 2: the command cannot be run as given. */
export type ExitCode = 0 | 1 | 2;
