import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import type { Settled } from '../cells/settle-cell.ts';
import type { Family } from '../families.ts';
import type { Answer, Heard } from '../scenario.ts';
import type { Agent } from './agent.ts';

/** The scenarios for agents. */
export const agentScenarios = ['answer', 'tool loop', 'retry'] as const;

export interface AgentCell {
  readonly agent: Agent;
  readonly family: Family;
  readonly scenario: (typeof agentScenarios)[number];
  /** The gateway's origin. */
  readonly origin: string;
  /** The folder in which the agents are installed. */
  readonly installed: string;
}

const prompt = 'Tell me what is in the file note.txt.';
/** Text that only the file contains, and text that only the provider's answer contains. */
const secret = 'The kettle is number 4711.';
const final = 'So it is the kettle of Graz — done.';
const usage = { input: 2100, output: 90 };
const timeoutMs = 180_000;

interface Printed {
  readonly text: string;
  readonly code: number | string;
}

const execute = (
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Printed> =>
  new Promise((resolve) => {
    const options = { cwd, env, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error.code ?? error.signal ?? 1);
      resolve({ code, text: error === null ? stdout : `${stdout}\n${stderr}` });
    });
    child.stdin?.end();
  });

/** A provider that answers the agent's own requests in turn, and requests without its tools with a title. */
class Provider {
  /** Descriptions of what went wrong. */
  readonly errors: string[] = [];
  readonly heard: Heard[] = [];
  readonly script: Answer[];
  readonly cell: AgentCell;
  readonly tool: string;

  constructor(cell: AgentCell, file: string) {
    const call = cell.agent.reads(file);
    const calls = { kind: 'answer', text: 'Let me look.', calls: [call], finish: 'tool-calls', usage } as const;
    const refused = { kind: 'error', status: 429, message: 'Slow down, please.', waitS: 1 } as const;
    const first = { answer: [], 'tool loop': [calls], retry: [refused] }[cell.scenario];
    this.cell = cell;
    this.tool = call.name;
    this.script = [...first, { kind: 'answer', text: final, finish: 'stop', usage }];
  }

  readonly handle = (call: UpstreamCall): void => {
    const { upstream } = this.cell.family;
    try {
      const heard = upstream.hear(call.request);
      const isOwn = heard.tools.some(({ name }) => name === this.tool);
      if (isOwn) this.heard.push(heard);
      const answer = isOwn
        ? this.script.shift()
        : ({ kind: 'answer', text: 'A title', finish: 'stop', usage } as const);
      if (answer === undefined) throw new Error('It was asked more often than there are answers.');
      upstream.answer(call, answer, heard.stream);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      this.errors.push(`the provider refused ${call.request.path}: ${message}`);
      call.json({ error: { message } }, { status: 400 });
    }
  };

  /** Returns what the provider should have received but did not. */
  missed(): readonly string[] {
    const last = this.heard.at(-1);
    const users = last?.user.join('\n') ?? '';
    const results = last?.results.map(({ text }) => text).join('\n') ?? '';
    return [
      ...(this.script.length === 0 ? [] : [`it was not asked for ${this.script.length} answers`]),
      ...(users.includes(prompt) ? [] : [`it did not hear the prompt, but ${users.slice(0, 500)}`]),
      ...(this.cell.scenario !== 'tool loop' || results.includes(secret)
        ? []
        : [`it did not hear what the file says, but ${results.slice(0, 500)}`]),
    ];
  }
}

const judge = ({ agent, scenario }: AgentCell, { code, text }: Printed, provider: Provider): readonly string[] => {
  const reasons = [...provider.errors, ...provider.missed()];
  if (code !== 0) return [...reasons, `the agent ended with ${code}:\n${text.slice(-3000)}`];
  const said = agent.said(text);
  const turns = scenario === 'tool loop' ? 2 : 1;
  const expected = { input: usage.input * turns, output: usage.output * turns };
  const isCounted = said.usage?.input === expected.input && said.usage.output === expected.output;
  return [
    ...reasons,
    ...(said.text.includes(final) ? [] : [`the agent did not print the answer:\n${text.slice(-3000)}`]),
    ...(isCounted ? [] : [`the agent counted ${JSON.stringify(said.usage)}, and not ${JSON.stringify(expected)}`]),
  ];
};

const runCell = async (cell: AgentCell, folder: string): Promise<readonly string[]> => {
  const { agent, family, origin, installed } = cell;
  const [home, work] = [path.join(folder, 'home'), path.join(folder, 'work')];
  await mkdir(home);
  const provider = new Provider(cell, path.join(work, 'note.txt'));
  const server = await startUpstream(provider.handle);
  const headers = { 'x-gw-config': JSON.stringify(family.config(server.origin)) };
  const { args, env, files = {} } = agent.command({ origin, headers, prompt });
  writeFolder({ ...files, 'note.txt': secret }, work);
  const own = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: folder, ...env };
  try {
    const program = path.join(installed, 'node_modules/.bin', agent.program);
    return judge(cell, await execute(program, args, work, own), provider);
  } finally {
    await server.close();
  }
};

/** Runs an agent in a separate folder. If it is declared unable to do the scenario, it must fail. */
export const settleAgentCell = async (cell: AgentCell): Promise<Settled> => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'gw-agent-')));
  const inability = cell.agent.cannot?.find(
    ({ scenarios, families }) =>
      scenarios?.includes(cell.scenario) !== false && families?.includes(cell.family.id) !== false,
  );
  try {
    const reasons = await runCell(cell, folder);
    if (inability === undefined)
      return reasons.length === 0 ? { outcome: { lost: [], isText: false } } : { error: reasons.join('\n') };
    if (reasons.length > 0) return { outcome: { reason: inability.reason } };
    return { error: `It works, and should not: ${inability.reason}` };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};
