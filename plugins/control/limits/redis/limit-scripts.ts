import { createHash } from 'node:crypto';
import { buildLua, claimBuildLua } from './lua/build.ts';
import { drainLua } from './lua/drain.ts';
import { prelude, redisTime } from './lua/prelude.ts';
import { readLua, resetLua } from './lua/read.ts';
import { releaseLua } from './lua/release.ts';
import { reserveLua } from './lua/reserve.ts';
import { settleLua } from './lua/settle.ts';

/** A script, and the SHA-1 by which Redis knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export type ScriptName = 'reserve' | 'settle' | 'release' | 'read' | 'reset' | 'drain' | 'claimBuild' | 'build';

const scripts: Readonly<Record<ScriptName, string>> = {
  reserve: reserveLua,
  settle: settleLua,
  release: releaseLua,
  read: readLua,
  reset: resetLua,
  drain: drainLua,
  claimBuild: claimBuildLua,
  build: buildLua,
};

/** One script for each decision. `time` is Lua: where they have the time from. */
export const limitScript = (name: ScriptName, time: string = redisTime): Script => {
  const text = `${prelude(time)}${scripts[name]}`;
  return { text, sha: createHash('sha1').update(text).digest('hex') };
};
