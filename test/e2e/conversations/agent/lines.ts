import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Call } from '../../../matrix/scenario.ts';
import type { Reply, Say } from '../story.ts';
import { oddFile, oddity } from './odd-texts.ts';
import { agentTools, patchTool } from './tools.ts';

/** The number of answers in a conversation. */
export const turns = 20;

export const systemPrompt: string = oddFile('You are a coding agent.', 20_000);

const toPatch = (turn: number): string => `*** Begin Patch\n*** Update: ${turn}\n@@\n-a\n+${oddity(turn)}\n*** End`;

const toArgs = (name: string, turn: number): JsonObject =>
  ({
    read_file: { path: `/src/${turn}/ü "x".ts`, range: [turn, 2 ** 31] },
    edit_file: {
      path: `/src/${turn}.ts`,
      edits: [
        { old: oddity(turn), new: oddity(turn + 1), where: 3 },
        { old: '', new: '\\', where: { after: '}' } },
      ],
    },
    'run-shell': { command: `echo "${oddity(turn)}"`, timeout: 1.5, env: { 'A-B': '', PATH: '$PATH:/x' } },
    todo_write: { todos: [{ text: oddity(turn), status: 'open' }] },
    notebook: {},
  })[name] ?? { pattern: '^\\s*"(.*)"$', glob: '**/*.{ts,tsx}' };

const toCall = (story: string, turn: number, at: number, name: string): Call => ({
  id: `call_${story}_${turn}_${at}`,
  name,
  args: name === patchTool.name ? { gw_input: toPatch(turn) } : toArgs(name, turn),
});

/** Returns one to three calls for a turn, and none for the last answer. */
const callsIn = (story: string, turn: number, hasPatches: boolean): readonly Call[] => {
  if (turn === turns - 1) return [];
  const named = agentTools.map(({ name }) => name);
  const names = Array.from({ length: 1 + (turn % 3) }, (_, at) => named[(turn * 3 + at) % named.length] ?? 'list');
  const all = hasPatches && turn % 4 === 1 ? [...names, patchTool.name] : names;
  return all.map((name, at) => toCall(story, turn, at, name));
};

/** The model's answer in a turn. Some answers consist only of calls. */
export const replyIn = (story: string, turn: number, hasPatches: boolean): Reply => ({
  reasoning: `I think of ${turn}: ${oddity(turn)}`,
  text: turn % 5 === 2 ? '' : `Step ${turn} of ${story} — ${oddity(turn + 3)}.`,
  calls: callsIn(story, turn, hasPatches),
});

/** Large results in the order of their calls, and sometimes a text of the user. */
export const sayAfter = (story: string, turn: number, last: Reply | undefined): Say => ({
  results: (last?.calls ?? []).map(({ id, name }) => ({ id, name, text: oddFile(`${name} of ${id}`, 4500) })),
  ...(turn % 7 === 0 ? { user: `Task ${turn} of ${story}: ${oddity(turn)}` } : {}),
});
