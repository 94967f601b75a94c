import { createHash } from 'node:crypto';
import { buildLua, claimBuildLua } from './lua/build.ts';
import { decideLua } from './lua/decide.ts';
import { drainLua } from './lua/drain.ts';
import { prelude, redisTime } from './lua/prelude.ts';
import { readLua, resetLua } from './lua/read.ts';

/** A script, and the SHA-1 by which Redis knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export type ScriptName = 'decide' | 'read' | 'reset' | 'drain' | 'claimBuild' | 'build';

const scripts: Readonly<Record<ScriptName, string>> = {
  decide: decideLua,
  read: readLua,
  reset: resetLua,
  drain: drainLua,
  claimBuild: claimBuildLua,
  build: buildLua,
};

/** The script of decisions, and those of what is done beside them. `time` is Lua: where they have the time from. */
export const limitScript = (name: ScriptName, time: string = redisTime): Script => {
  const text = `${prelude(time)}${scripts[name]}`;
  return { text, sha: createHash('sha1').update(text).digest('hex') };
};
