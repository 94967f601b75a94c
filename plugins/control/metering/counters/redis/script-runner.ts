import { createHash } from 'node:crypto';
import type { Command, Redis } from 'ioredis';
import { openRedis } from '../../../../redis/open-redis.ts';
import { findRedisReason } from '../../../../redis/redis-reasons.ts';
import { NotSentError } from '../remote-counters.ts';
import { type ScriptName, scriptText } from './script-texts.ts';

interface ScriptRunnerOptions {
  readonly url: string;
  /** The prefix of all keys. */
  readonly prefix: string;
  /** How long to wait for an answer, in milliseconds. Redis may still run the script afterwards. */
  readonly commandMs: number;
  /** The Lua expression from which scripts read the time. */
  readonly time?: string | undefined;
}

/** Returns the texts of a reply. */
const takeTexts = (reply: unknown): readonly string[] => {
  if (!Array.isArray(reply) || !reply.every((text) => typeof text === 'string'))
    throw new Error('The script has returned something other than texts.');
  return reply.splice(0);
};

interface Client {
  readonly redis: Redis;
  readonly newCommand: (name: string, args: (string | number)[]) => Command;
}

/**
 * Sends a command as the methods of the client do, and clears its data when it is answered. The client assigns a function to a
 * property of each command. V8 creates such functions in its old generation, and until that is collected, each of them would
 * retain what was sent and answered, which would be copied there, too.
 */
const send = async (
  { redis, newCommand }: Client,
  name: string,
  args: (string | number)[],
): Promise<readonly string[]> => {
  const command = newCommand(name, args);
  try {
    return takeTexts(await redis.sendCommand(command));
  } finally {
    command.args = [];
  }
};

/** Runs scripts on one connection, where Redis runs them in the order in which they were sent. */
export class ScriptRunner {
  readonly #options: ScriptRunnerOptions;
  /** The texts of scripts, and the SHA-1 by which Redis identifies each. */
  readonly #scripts = new Map<ScriptName, { readonly text: string; readonly sha: string }>();
  #opened: Promise<Client> | undefined;
  #isClosed = false;
  #failure: unknown;

  constructor(options: ScriptRunnerOptions) {
    this.#options = options;
    this.#connect().catch(() => {});
  }

  /** Resolves with the texts that the script returns. Rejects if there is no answer in time. */
  async run(name: ScriptName, args: readonly string[]): Promise<readonly string[]> {
    const { prefix } = this.#options;
    const to = await this.#connect();
    if (this.#isClosed || to.redis.status !== 'ready')
      throw new NotSentError('There is no connection.', { cause: this.#failure });
    const { text, sha } = this.#toScript(name);
    try {
      return await send(to, 'evalsha', [sha, 1, prefix, ...args]);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return await send(to, 'eval', [text, 1, prefix, ...args]);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const to = await this.#opened?.catch(() => undefined);
    to?.redis.disconnect();
  }

  async #open(): Promise<Client> {
    const { url, commandMs } = this.#options;
    const { Command } = await import('ioredis');
    const redis = await openRedis(url, { commandMs });
    redis.on('error', (error) => {
      this.#failure = error;
    });
    redis.on('ready', () => {
      this.#failure = undefined;
    });
    return { redis, newCommand: (name, args) => new Command(name, args, { replyEncoding: 'utf8' }) };
  }

  async #connect(): Promise<Client> {
    this.#opened ??= this.#open();
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  #toScript(name: ScriptName) {
    const known = this.#scripts.get(name);
    if (known !== undefined) return known;
    const text = scriptText(name, this.#options.time);
    const script = { text, sha: createHash('sha1').update(text).digest('hex') };
    this.#scripts.set(name, script);
    return script;
  }
}

/** The time-out messages of ioredis and of `within`. */
const timeOut = /\bCommand timed out|^There was no result within/;

/** The beginning of an error reply of Redis, either alone or as ioredis reports it when it connects. */
const answer = /^(?:Ready check failed: )?([A-Z]{3,})\b/;

/**
 * Describes a failure to operators by its reason, or by its code, such as `ECONNREFUSED` or `EXECABORT`. The message is never used,
 * because it might contain a password.
 */
export const redisError = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.cause !== undefined) return redisError(error.cause);
  if ('code' in error && typeof error.code === 'string') return error.code;
  const reason = findRedisReason(error);
  if (reason !== undefined) return reason.what;
  const [, code] = answer.exec(error.message) ?? [];
  if (code !== undefined) return code;
  return timeOut.test(error.message) ? 'no answer in time' : 'no connection';
};
