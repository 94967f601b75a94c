import type { CommandIo, TextOutput } from '../compiler/cli/command-line/services.ts';
import { type BoundedOutput, boundedOutput } from '../runtime/server/logs/bounded-output.ts';

const unbounded = (output: TextOutput): BoundedOutput => ({
  write: (text) => output.write(text),
  flushed: async () => {},
  dropped: () => 0,
});

/** Creates an output for as long as a gateway runs. An output that is not a stream accepts everything. */
const lasting = (output: TextOutput, lost: (count: number) => string): BoundedOutput => {
  const { stream } = output;
  if (stream === undefined) return unbounded(output);
  // If something cannot be written, a command ends, but a gateway counts it.
  stream.removeAllListeners('error').on('error', () => {});
  return boundedOutput({ stream, lost });
};

export interface ServeOutputs {
  readonly out: BoundedOutput;
  readonly err: BoundedOutput;
}

/** Once anything is written that could be dropped, the standard output has only JSON lines. */
export const serveOutputs = ({ out, err }: CommandIo): ServeOutputs => ({
  out: lasting(out, (count) => `{"dropped":${count}}\n`),
  err: lasting(err, (count) => `gw: ${count} messages were dropped here, because nobody read them.\n`),
});
