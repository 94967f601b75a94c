import { createHash } from 'node:crypto';
import type { Command, Redis } from 'ioredis';
import { openRedis } from '../../../../redis/open-redis.ts';
import { decideLua } from './lua/decide.ts';
import { prelude, redisTime } from './lua/prelude.ts';
import { buildLua, claimBuildLua, drainLua, readLua, resetLua } from './lua/upkeep.ts';

/** A script, and the SHA-1 by which Redis knows it. */
interface Script {
  readonly text: string;
  readonly sha: string;
}

type ScriptName = 'decide' | 'read' | 'reset' | 'drain' | 'claimBuild' | 'build';

const scripts: Readonly<Record<ScriptName, string>> = {
  decide: decideLua,
  read: readLua,
  reset: resetLua,
  drain: drainLua,
  claimBuild: claimBuildLua,
  build: buildLua,
};

/** The script of decisions, and those of what is done beside them. `time` is Lua: where they have the time from. */
const limitScript = (name: ScriptName, time: string = redisTime): Script => {
  const text = `${prelude(time)}${scripts[name]}`;
  return { text, sha: createHash('sha1').update(text).digest('hex') };
};

interface ScriptRunnerOptions {
  readonly url: string;
  /** The beginning of all keys. */
  readonly prefix: string;
  /** Milliseconds after which an answer is not waited for. Redis may still run the script. */
  readonly commandMs: number;
  /** Lua: where scripts have the time from. */
  readonly time?: string | undefined;
}

/** There is no connection, so that the script was not sent; the cause is why the last one ended or was not made. */
export class NotSentError extends Error {}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The texts of a reply, which are taken out of it. */
const takeTexts = (reply: unknown): readonly string[] => {
  if (!Array.isArray(reply) || !reply.every(isText))
    throw new Error('The script has answered something else than texts.');
  return reply.splice(0);
};

const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT');

interface Client {
  readonly redis: Redis;
  readonly newCommand: (name: string, args: (string | number)[]) => Command;
}

/**
 * Sends a command as the methods of the client do, and takes out of it what it has when it is answered. The client assigns a
 * function to a property of each command. V8 makes such functions in its old generation, and until that is collected, each of
 * them would hold what was sent and answered, which would be copied there, too.
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

/** Runs scripts on one connection, which Redis does in the order in which they were sent. */
export class ScriptRunner {
  readonly #options: ScriptRunnerOptions;
  readonly #scripts = new Map<ScriptName, Script>();
  #opened: Promise<Client> | undefined;
  #isClosed = false;
  #failure: unknown;

  constructor(options: ScriptRunnerOptions) {
    this.#options = options;
    this.#connect().catch(() => {});
  }

  /** Resolves with the texts that the script answers. Rejects if there is no answer in time. */
  async run(name: ScriptName, args: readonly string[]): Promise<readonly string[]> {
    const { prefix } = this.#options;
    const to = await this.#connect();
    if (this.#isClosed || to.redis.status !== 'ready')
      throw new NotSentError('There is no connection.', { cause: this.#failure });
    const { text, sha } = this.#toScript(name);
    try {
      return await send(to, 'evalsha', [sha, 1, prefix, ...args]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
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

  #toScript(name: ScriptName): Script {
    const script = this.#scripts.get(name) ?? limitScript(name, this.#options.time);
    this.#scripts.set(name, script);
    return script;
  }
}
