import { calledCommands } from '../../../../redis/redis-needs.ts';
import { decideLua } from './decide.ts';
import { prelude, redisTime } from './prelude.ts';
import { upkeepScripts } from './upkeep.ts';

export type ScriptName = 'decide' | keyof typeof upkeepScripts;

const scripts: Readonly<Record<ScriptName, string>> = { decide: decideLua, ...upkeepScripts };

/** Returns the whole text of a script. `time` is the Lua expression from which it reads the time. */
export const scriptText = (name: ScriptName, time: string = redisTime): string => `${prelude(time)}${scripts[name]}`;

/** The commands that the user of the gateway needs in the Redis of limits, in lower case: those of the scripts, and those that run them. */
export const limitCommands = (): readonly string[] => {
  const called = calledCommands([prelude(redisTime), ...Object.values(scripts)]);
  return [...new Set(['eval', 'evalsha', ...called])].sort();
};
