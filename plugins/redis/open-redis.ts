import type { Redis } from 'ioredis';

/** Milliseconds. */
const defaultCommandMs = 1000;
const connectMs = 2000;
const longestRetryMs = 2000;
const longestSilenceMs = 5000;
/** The minimum time between two connections that are closed because their server is a replica. */
const replicaMs = 2000;

export interface OpenRedisOptions {
  /** The time-out of a command, in milliseconds. The server may still run the command afterwards. */
  readonly commandMs?: number;
}

/**
 * Whether the server refused to select the database of the URL. The client would continue with database 0, which another program
 * may be using.
 */
const isSelectError = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  typeof error.command === 'object' &&
  error.command !== null &&
  'name' in error.command &&
  error.command.name === 'select';

/**
 * Creates a function that returns whether to reconnect after an error. A server that becomes a replica keeps its connections and
 * rejects all writes on them, while its name already resolves to the new primary.
 */
const replicaWatch = (): ((error: Error) => boolean) => {
  let closedAt = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    const now = performance.now();
    // If only a replica is available, the connection is kept for reading.
    if (!message.includes('READONLY') || now - closedAt < replicaMs) return false;
    closedAt = now;
    return true;
  };
};

/** Reports as an error that a server still reads its data, which a client waits for without one. */
export const reportLoading = (client: Redis): void => {
  client.on('connect', () => {
    client.info('persistence').then(
      (facts) => {
        if (/^loading:1/m.test(facts)) client.emit('error', new Error('LOADING'));
      },
      () => {},
    );
  });
};

/**
 * Opens a connection that fails fast: commands are rejected while it is down, no command is sent twice, and the client reconnects by
 * itself, with increasing delays.
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
    // A suspended server keeps its sockets open. Only its silence reveals it.
    socketTimeout: longestSilenceMs,
    reconnectOnError: replicaWatch(),
    maxLoadingRetryTime: longestRetryMs,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), longestRetryMs),
  });
  // Each command reports its own failure, so the errors of the connection are not reported as well.
  client.on('error', (error) => {
    if (isSelectError(error)) client.disconnect(true);
  });
  reportLoading(client);
  return client;
};
