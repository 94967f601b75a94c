import type { CommandIo } from '../compiler/cli/command-line/services.ts';

/** Whether the command has the process for itself: it prints where the process does. */
export const isProcess = ({ out }: CommandIo): boolean => out.stream === process.stdout;
