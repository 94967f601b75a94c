import type { CommandIo } from '../../../compiler/cli/command-line/services.ts';
import { nodeIo } from '../../../compiler/cli/files/node-io.ts';
import { main } from '../../../gw.ts';

/** The output of a command, and its exit code. */
export interface GwRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

class Recorder {
  text = '';
  readonly colour: boolean;

  constructor(colour: boolean) {
    this.colour = colour;
  }

  write(text: string): void {
    this.text += text;
  }
}

/** Creates the environment of a `gw` command in a folder, which records its output. */
export const recordedIo = (
  cwd: string,
  colour = false,
): CommandIo & { readonly out: Recorder; readonly err: Recorder } => {
  const [out, err] = [new Recorder(colour), new Recorder(colour)];
  return { ...nodeIo({ cwd, out, err }), out, err };
};

/** Runs a `gw` command in this process, in a folder. */
export const runGw = async (
  cwd: string,
  argv: readonly string[],
  { colour = false }: { readonly colour?: boolean } = {},
): Promise<GwRun> => {
  const io = recordedIo(cwd, colour);
  const code = await main(argv, io);
  return { code, out: io.out.text, err: io.err.text };
};
