import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import { openOwnerLink } from '../runtime/workers/owner-link.ts';
import { runWorker } from '../runtime/workers/run-worker.ts';
import { serveServices } from './serve-services.ts';

/** `gw serve` in a process that another gateway has started as a worker, which prints its output. Returns the exit code. */
export const serveWorker = async (io: CommandIo, argv: readonly string[]): Promise<number> => {
  // Processes that this process starts are not workers.
  delete process.env.GW_WORKER_OF;
  const link = await openOwnerLink();
  const { channel } = link;
  const out = { colour: io.out.colour, write: (text: string) => channel.notify('print', { to: 'out', text }) };
  const err = { colour: io.err.colour, write: (text: string) => channel.notify('print', { to: 'err', text }) };
  return runWorker(link, serveServices({ ...io, out, err }), argv);
};
