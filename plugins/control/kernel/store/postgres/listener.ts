import type { Client } from 'pg';

export const channel = 'gatewright_feeds';

const firstPause = 100;
const longestPause = 5000;

export interface Listener {
  /** Returns what stops it. */
  watch(run: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Listens for what other processes announce, on one connection that is opened when somebody watches, and opened again when it
 * ends. Watchers are also called when it has been opened, since something may have been missed before.
 */
export const createListener = (connect: () => Client): Listener => {
  const watchers = new Set<() => void>();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = firstPause;

  const notify = (): void => {
    for (const run of watchers) run();
  };

  const drop = (): void => {
    clearTimeout(timer);
    const dropped = client;
    client = undefined;
    void dropped?.end().catch(() => {});
  };

  const startLater = (): void => {
    timer = setTimeout(() => void start(), pause);
    timer.unref();
    pause = Math.min(pause * 2, longestPause);
  };

  const listen = async (started: Client): Promise<void> => {
    await started.connect();
    await started.query(`listen ${channel}`);
    pause = firstPause;
    notify();
  };

  const start = async (): Promise<void> => {
    try {
      const started = connect();
      client = started;
      const restart = (): void => {
        if (client !== started) return;
        drop();
        startLater();
      };
      started.on('error', restart);
      started.on('end', restart);
      started.on('notification', notify);
      await listen(started).catch(restart);
    } catch {
      startLater();
    }
  };

  return {
    watch(run) {
      // The same function may watch twice.
      const watcher = (): void => run();
      watchers.add(watcher);
      if (watchers.size === 1) void start();
      return () => {
        if (watchers.delete(watcher) && watchers.size === 0) drop();
      };
    },
    async close() {
      watchers.clear();
      drop();
    },
  };
};
