/**
 * `npm run matrix:python`: sends the requests through Python libraries, which are installed from PyPI in a temporary folder, or
 * once in the folder named by `MATRIX_VENV`. Requires Python 3.10 or newer. With `--write`, their tables replace those in
 * MATRIX.md. Without it, the command exits with 1 if a cell differs from them.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { isAskedBy } from '../cells/declared-losses.ts';
import { type Settled, settleCell } from '../cells/settle-cell.ts';
import type { ClientDriver } from '../clients/client-driver.ts';
import { families } from '../families.ts';
import { type CommandCell, runMatrix } from '../run-matrix.ts';
import { scenarios } from '../scenarios.ts';
import { type PythonClient, pythonClients } from './python-clients.ts';
import { startPython } from './python-process.ts';

const run = promisify(execFile);
const gw = path.join(import.meta.dirname, '../../../gw.js');
const features = ['text', 'next turn', 'schema', 'error', 'retry', 'usage'];

const install = async (folder: string): Promise<void> => {
  process.stdout.write(`Installing the libraries in ${folder}.\n`);
  await run('python3', ['-m', 'venv', folder]);
  const requirements = path.join(import.meta.dirname, 'requirements.txt');
  await run(path.join(folder, 'bin/pip'), ['install', '-q', '-r', requirements], {
    maxBuffer: Number.POSITIVE_INFINITY,
  });
};

const given = process.env.MATRIX_VENV;
const folder = given ?? (await mkdtemp(path.join(tmpdir(), 'gw-matrix-python-')));
const only = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const clients = pythonClients.filter(({ module }) => only.length === 0 || only.includes(module));
try {
  const program = path.join(folder, 'bin/python');
  if (!existsSync(program)) await install(folder);
  const python = startPython(
    program,
    clients.map(({ module }) => module),
  );
  const gateway = await startGateway({ command: [process.execPath, gw] });
  const toDriver = ({ module, ...client }: PythonClient): ClientDriver => ({
    ...client,
    ask: (scenario, options) =>
      python.ask({ module, scenario, options: { ...options, model: options.model ?? client.model } }),
  });
  const settleAlone = async (cell: Omit<Parameters<typeof settleCell>[0], 'server' | 'origin'>): Promise<Settled> => {
    const server = await startUpstream();
    try {
      return await settleCell({ ...cell, server, origin: gateway.origin });
    } finally {
      await server.close();
    }
  };
  const cells = clients.map(toDriver).flatMap((client) =>
    families
      .filter((family) => isAskedBy(family, client.dialect))
      .flatMap((family) =>
        scenarios
          .filter(({ id }) => features.includes(id))
          .flatMap((scenario) =>
            [false, true].map(
              (stream): CommandCell => ({
                library: client.library,
                family: family.id,
                scenario: scenario.id,
                variant: stream ? 'streamed' : 'whole',
                settle: () => settleAlone({ client, family, scenario, stream }),
              }),
            ),
          ),
      ),
  );
  try {
    await runMatrix({ section: 'python', scenarios: features, cells, atOnce: 12 });
  } finally {
    await Promise.all([python.stop(), gateway.stop()]);
  }
} finally {
  if (given === undefined) await rm(folder, { recursive: true, force: true });
}
