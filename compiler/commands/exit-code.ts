/** 0: done. 1: there are diagnostics of severity error, or the work failed. 2: the command line cannot be followed. */
export type ExitCode = 0 | 1 | 2;
