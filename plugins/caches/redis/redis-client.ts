import type { Redis } from 'ioredis';

/** Milliseconds. A command that takes longer is given up; its request has gone on before. */
const commandMs = 1000;
const connectMs = 2000;
const longestRetryMs = 2000;

/**
 * A connection that fails fast: commands are refused while there is none, none is sent twice, and the client connects
 * again on its own, with growing waits.
 */
export const openRedis = async (url: string): Promise<Redis> => {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    commandTimeout: commandMs,
    connectTimeout: connectMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // A server that is stopped keeps its sockets open: only silence tells.
    socketTimeout: commandMs * 5,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), longestRetryMs),
  });
  // Each command reports its own failure, so the connection's are not reported again.
  client.on('error', () => {});
  return client;
};
