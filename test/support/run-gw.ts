import { nodeIo } from '../../compiler/cli/files/node-io.ts';
import { main } from '../../gw.ts';

/** What a command printed, and its exit code. */
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

/** Runs a command of `gw` in this process, in a folder. */
export const runGw = async (
  cwd: string,
  argv: readonly string[],
  { colour = false }: { readonly colour?: boolean } = {},
): Promise<GwRun> => {
  const [out, err] = [new Recorder(colour), new Recorder(colour)];
  const code = await main(argv, nodeIo({ cwd, out, err }));
  return { code, out: out.text, err: err.text };
};
