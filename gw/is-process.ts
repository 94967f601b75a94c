import type { CommandIo } from '../compiler/cli/command-line/services.ts';

/** Whether the command has the process to itself, which means that it prints to the process's own output. */
export const isProcess = ({ out }: CommandIo): boolean => out.stream === process.stdout;
