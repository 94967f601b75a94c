import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems assign themselves, so that no connection or server of another test takes it in the meantime. */
const [first, end] = [20_000, 32_000] as const;

/** The number of ports for each process of a test run, because two that looked for a port at the same moment got the same one. */
const share = 500;

const shareOfThisProcess = Number(process.env.VITEST_POOL_ID ?? 0) % ((end - first) / share);

let next = randomInt(share);

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
};

/** Returns a port of this machine on which nothing listens. A server that restarts finds it free again. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    next = (next + 1) % share;
    const port = first + shareOfThisProcess * share + next;
    if (await isFree(port)) return port;
  }
};
