/**
 * `npm run matrix:agents`: runs coding agents without a terminal. npm installs them in a temporary folder, or once in the
 * folder named by `MATRIX_AGENTS`. With `--write`, their tables replace those in MATRIX.md. Without it, the command exits with
 * 1 if a cell differs from them. Programs and families can be selected as arguments.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { isAskedBy } from '../cells/declared-losses.ts';
import type { Settled } from '../cells/settle-cell.ts';
import { families } from '../families.ts';
import { type CommandCell, runMatrix } from '../run-matrix.ts';
import type { Agent } from './agent.ts';
import { agentScenarios, settleAgentCell } from './agent-cell.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { opencode } from './opencode.ts';

const run = promisify(execFile);
const gw = path.join(import.meta.dirname, '../../../gw.js');
const only = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const all = [claudeCode, codex, opencode];
const isNamed = (name: string, names: readonly string[]): boolean =>
  !names.some((each) => only.includes(each)) || only.includes(name);
const programs = all.map(({ program }) => program);
const agents = all.filter(({ program }) => isNamed(program, programs));
const familyIds = families.map(({ id }) => id);

/** Returns why an agent cannot run here, or undefined if it can. */
const installError = async ({ npm, program }: Agent, installed: string): Promise<string | undefined> => {
  const file = path.join(installed, 'node_modules/.bin', program);
  try {
    if (!existsSync(file)) await run('npm', ['install', '--no-audit', '--no-fund', npm], { cwd: installed });
    await run(file, ['--version'], { timeout: 60_000 });
    return undefined;
  } catch (error) {
    return `It cannot be installed here: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
};

const given = process.env.MATRIX_AGENTS;
const installed = given ?? (await mkdtemp(path.join(tmpdir(), 'gw-matrix-agents-')));
try {
  if (!existsSync(path.join(installed, 'package.json')))
    writeFolder({ 'package.json': { private: true, name: 'agents' } }, installed);
  const errors = new Map<Agent, string | undefined>();
  for (const agent of agents) errors.set(agent, await installError(agent, installed));
  const gateway = await startGateway({ command: [process.execPath, gw] });
  const { origin } = gateway;
  const cells = agents.flatMap((agent) =>
    families
      .filter((family) => isAskedBy(family, agent.dialect) && isNamed(family.id, familyIds))
      .flatMap((family) =>
        agentScenarios.map(
          (scenario): CommandCell => ({
            library: agent.library,
            family: family.id,
            scenario,
            variant: 'streamed',
            settle: async (): Promise<Settled> => {
              const reason = errors.get(agent);
              return reason === undefined
                ? settleAgentCell({ agent, family, scenario, origin, installed })
                : { outcome: { reason } };
            },
          }),
        ),
      ),
  );
  try {
    await runMatrix({ section: 'agents', scenarios: agentScenarios, cells, atOnce: 6 });
  } finally {
    await gateway.stop();
  }
} finally {
  if (given === undefined) await rm(installed, { recursive: true, force: true, maxRetries: 3 });
}
