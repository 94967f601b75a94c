/**
 * `npm run clients:portkey`: runs programs that use Portkey's own, unmodified libraries against `gw serve --accept portkey`. The
 * libraries are installed from PyPI and npm in a temporary folder, or permanently in the folder that `PORTKEY_CLIENTS` names.
 * Needs Python 3.10 or newer. Exits with 1 if a program does not print what it should, or if the provider receives something
 * meant for the gateway.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import buildInstalledGateway from '../support/gateways/build-installed-gateway.ts';
import { startGateway } from '../support/gateways/gateway-process.ts';
import { startUpstream } from '../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../support/vendors/openai-wire.ts';
import { type ClientProgram, clientPrograms, loggedTraces } from './programs.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');
const providerKey = 'key-of-the-operator';

/** Installs both libraries, and compiles the JavaScript programs, resolving their imports as TypeScript and bundlers do. */
const install = async (folder: string): Promise<void> => {
  if (!existsSync(path.join(folder, 'bin/python'))) await run('python3', ['-m', 'venv', folder]);
  await run(path.join(folder, 'bin/pip'), ['install', '-q', 'portkey-ai'], { maxBuffer: Number.POSITIVE_INFINITY });
  await run('npm', ['install', '--silent', '--no-save', '--prefix', folder, 'portkey-ai']);
  cpSync(path.join(import.meta.dirname, 'programs'), folder, { recursive: true });
  const sources = clientPrograms.flatMap(({ file }) => (file.endsWith('.js') ? [path.join(folder, file)] : []));
  const settings = '--allowJs --noCheck --ignoreConfig --module commonjs --moduleResolution bundler'.split(' ');
  await run(path.join(root, 'node_modules/.bin/tsc'), [...settings, '--outDir', path.join(folder, 'out'), ...sources]);
};

const given = process.env.PORTKEY_CLIENTS;
const folder = given ?? (await mkdtemp(path.join(tmpdir(), 'gw-portkey-')));
const problems: string[] = [];
try {
  await buildInstalledGateway();
  await install(folder);
  const upstream = await startUpstream((call) => {
    const { model, stream } = JSON.parse(call.request.body.toString());
    const reply = { text: `This is ${model}.`, model };
    if (stream !== true) return call.json(openaiAnswer(reply));
    const events = call.sse();
    for (const event of openaiStream(reply)) events.send(event);
    return events.end();
  });
  const provider = {
    provider: 'openai',
    credential: { api_key: '${env:SAVED_KEY}' },
    settings: { custom_host: `${upstream.origin}/v1` },
  };
  const gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        auth: { keys: [{ id: 'clients', key: '${env:SERVICE_KEY}' }] },
        providers: { SAVED: provider },
        virtual_keys: { VIRTUAL_KEY: provider },
      },
      'configs/pc-prod-1a2b.json': { provider: '@SAVED', override_params: { model: 'of-the-saved-config' } },
    },
    env: { SAVED_KEY: providerKey, SERVICE_KEY: 'PORTKEY_API_KEY', GW_LOG: 'requests' },
    args: ['--accept', 'portkey'],
  });
  const env = {
    ...process.env,
    PORTKEY_API_KEY: 'PORTKEY_API_KEY',
    // The Python library reads the first variable, the JavaScript library the second.
    PORTKEY_PROXY: gateway.baseUrl,
    PORTKEY_BASE_URL: gateway.baseUrl,
  };
  const printed = async ({ file }: ClientProgram): Promise<string> => {
    const [program, name] = file.endsWith('.py')
      ? [path.join(folder, 'bin/python'), file]
      : [process.execPath, path.join('out', file)];
    return run(program, [name], { cwd: folder, env }).then(
      ({ stdout }) => stdout,
      (error: unknown) => String(error),
    );
  };
  try {
    for (const program of clientPrograms) {
      const lines = (await printed(program)).split('\n');
      let at = 0;
      const missing = program.prints.find((part) => {
        const found = lines.findIndex((line, index) => index >= at && line.includes(part));
        at = found + 1;
        return found < 0;
      });
      if (missing === undefined) process.stdout.write(`${program.file}: it prints what it should.\n`);
      else problems.push(`${program.file} does not print "${missing}", but:\n${lines.join('\n')}`);
    }
    const records = gateway.records();
    for (const trace of loggedTraces)
      if (!records.some((record) => record.trace === trace))
        problems.push(`No line of the log has the trace "${trace}".`);
    for (const { rawHeaders } of upstream.requests) {
      const lines = rawHeaders.join('\n');
      if (/x-portkey|x-gw-|PORTKEY_API_KEY/i.test(lines)) problems.push(`A provider was sent:\n${lines}`);
      if (!rawHeaders.includes(`Bearer ${providerKey}`)) problems.push(`A provider was not sent its key:\n${lines}`);
    }
    process.stdout.write(`${upstream.requests.length} requests reached the provider.\n`);
  } finally {
    await gateway.stop();
    await upstream.close();
  }
} finally {
  if (given === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
