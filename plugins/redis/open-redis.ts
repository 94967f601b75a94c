import type { Redis } from 'ioredis';

/** Milliseconds. */
const defaultCommandMs = 1000;
const connectMs = 2000;
const longestRetryMs = 2000;
const longestSilenceMs = 5000;
/** Between two connections that are given up because their server is a replica. */
const replicaMs = 2000;

export interface OpenRedisOptions {
  /** Milliseconds after which a command is given up. The server may still run it. */
  readonly commandMs?: number;
}

/** Whether the server refused the database of the URL. The client would go on with database 0, which may be of another program. */
const isOfSelect = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  typeof error.command === 'object' &&
  error.command !== null &&
  'name' in error.command &&
  error.command.name === 'select';

/**
 * Makes what says whether to connect again after an error. A server that was made a replica keeps its connections, and would refuse
 * all writes on them for ever, while its name leads to the new primary one.
 */
const replicaWatch = (): ((error: Error) => boolean) => {
  let givenUpAt = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    const now = performance.now();
    // Where there is none but a replica, what it has can be read.
    if (!message.includes('READONLY') || now - givenUpAt < replicaMs) return false;
    givenUpAt = now;
    return true;
  };
};

/**
 * A connection that fails fast: commands are refused while there is none, none is sent twice, and the client connects
 * again on its own, with growing waits.
 */
export const openRedis = async (
  url: string,
  { commandMs = defaultCommandMs }: OpenRedisOptions = {},
): Promise<Redis> => {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    commandTimeout: commandMs,
    connectTimeout: connectMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // A server that is stopped keeps its sockets open: only silence shows it.
    socketTimeout: longestSilenceMs,
    reconnectOnError: replicaWatch(),
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), longestRetryMs),
  });
  // Each command reports its own failure, so the connection's are not reported again.
  client.on('error', (error) => {
    if (isOfSelect(error)) client.disconnect(true);
  });
  return client;
};
