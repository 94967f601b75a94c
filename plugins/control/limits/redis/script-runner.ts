import type { Redis } from 'ioredis';
import { openRedis } from '../../../redis/open-redis.ts';
import { limitScript, type Script, type ScriptName } from './limit-scripts.ts';

export interface ScriptRunnerOptions {
  readonly url: string;
  /** What all keys begin with. */
  readonly prefix: string;
  /** Milliseconds after which an answer is not waited for. Redis may still run the script. */
  readonly commandMs: number;
  /** Lua: where scripts have the time from. */
  readonly time?: string | undefined;
}

/** Runs scripts on one connection, which Redis does in the order in which they were sent. */
export interface ScriptRunner {
  /** The texts that the script answers. Rejects if there is no answer in time. */
  run(name: ScriptName, args: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** There is no connection, so that the script was not sent; the cause is why the last one ended or was not made. */
export class NotSentError extends Error {}

const isText = (value: unknown): value is string => typeof value === 'string';

const texts = (reply: unknown): readonly string[] => {
  if (!Array.isArray(reply) || !reply.every(isText))
    throw new Error('The script has answered something else than texts.');
  return reply;
};

const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT');

export const scriptRunner = ({ url, prefix, commandMs, time }: ScriptRunnerOptions): ScriptRunner => {
  const scripts = new Map<ScriptName, Script>();
  let opened: Promise<Redis> | undefined;
  let isClosed = false;
  let failure: unknown;

  const open = async (): Promise<Redis> => {
    const redis = await openRedis(url, { commandMs });
    redis.on('error', (error) => {
      failure = error;
    });
    return redis;
  };
  const client = async (): Promise<Redis> => {
    opened ??= open();
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  client().catch(() => {});

  const scriptOf = (name: ScriptName): Script => {
    const script = scripts.get(name) ?? limitScript(name, time);
    scripts.set(name, script);
    return script;
  };

  return {
    async run(name, args) {
      const redis = await client();
      if (isClosed || redis.status !== 'ready') throw new NotSentError('There is no connection.', { cause: failure });
      const { text, sha } = scriptOf(name);
      try {
        return texts(await redis.evalsha(sha, 1, prefix, ...args));
      } catch (error) {
        if (!isUnknownScript(error)) throw error;
        return texts(await redis.eval(text, 1, prefix, ...args));
      }
    },
    async close() {
      isClosed = true;
      const redis = await opened?.catch(() => undefined);
      redis?.disconnect();
    },
  };
};
