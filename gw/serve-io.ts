import { lstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { ServeServices } from '../runtime/cli/services/serve-services.ts';
import { readRegularFileSync } from '../runtime/watched-files/read-regular-file.ts';
import { utf8Text } from '../schema/text/utf8-text.ts';
import type { ServeOutputs } from './serve-outputs.ts';

/** Larger than any gateway file, or module of a plugin. */
const maxFileBytes = 64 * 1024 * 1024;

/** Creates the input and output of a gateway from those of this process. */
export const serveIo = (cwd: string, { out, err }: ServeOutputs): ServeServices['io'] => ({
  cwd,
  env: process.env,
  // Somebody at a terminal can stop it, even if its output goes to a file.
  isTerminal: [0, 1, 2].some(isatty),
  stdout: (text) => out.write(text),
  stderr: (text) => err.write(text),
  flushed: async () => {
    await Promise.all([out.flushed(), err.flushed()]);
  },
  dropped: () => out.dropped(),
  // A broken link counts as existing: a gateway file that was meant must not be ignored.
  readFile: async (file) =>
    lstatSync(file, { throwIfNoEntry: false }) ? utf8Text(readRegularFileSync(file, maxFileBytes)) : undefined,
  onSignal: (listener, signals = ['SIGTERM', 'SIGINT', 'SIGHUP']) => {
    const taps = signals.map((signal) => [signal, () => listener(signal)] as const);
    for (const [signal, tap] of taps) process.on(signal, tap);
    return () => {
      for (const [signal, tap] of taps) process.off(signal, tap);
    };
  },
  exit: (code) => process.exit(code),
});
