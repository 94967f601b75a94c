/**
 * `npm run bench:editor`: types letters one after another into a config of 2,000 lines of JSON, and into one of YAML, with `gw
 * lsp`. Prints how long it takes from the message with a letter to the message with its findings, and the server's CPU time for
 * each letter. Exits with 1 if a median is 30 ms or more. `--letters=200`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { stringify } from 'yaml';
import { buildGateway } from '../harness/built-gateway.ts';

const { values } = parseArgs({ options: { letters: { type: 'string', default: '200' } } });
const letters = Number(values.letters);
const maxMs = 30;
/** The number of letters that are not measured, because the compiler is not warm yet. */
const warmUp = 30;

const groups = 80;
const config = {
  strategy: {
    mode: 'conditional',
    conditions: Array.from({ length: groups }, (_, at) => ({
      query: { 'metadata.tier': { $eq: `tier-${at}` } },
      then: `target-${at}`,
    })),
    default: 'target-0',
  },
  targets: Array.from({ length: groups }, (_, at) => ({
    name: `target-${at}`,
    provider: ['openai', 'anthropic', 'groq', 'mistral-ai'][at % 4],
    api_key: `\${env:KEY_${at}}`,
    override_params: { model: `model-${at}`, temperature: 0.5, max_tokens: 100 + at },
    retry: { attempts: 3, on_status_codes: [429, 500] },
  })),
};

/** More targets for YAML, which needs fewer lines for the same config. */
const more = Array.from({ length: 65 }, (_, at) => ({ ...config.targets[at], name: `further-${at}` }));

const texts = {
  'a.json': JSON.stringify(config, undefined, 2),
  'b.yaml': stringify({ ...config, targets: [...config.targets, ...more] }, { aliasDuplicateObjects: false }),
};

const cpuMs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // Ticks of 10 ms: the user and the system time of the process.
  return (Number(stat[11]) + Number(stat[12])) * 10;
};

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);

const folder = mkdtempSync(path.join(tmpdir(), 'gw-'));
writeFileSync(path.join(folder, 'gateway.json'), '{ "configs": "." }');
const child = spawn(process.execPath, [await buildGateway(), 'lsp'], {
  cwd: folder,
  stdio: ['pipe', 'pipe', 'inherit'],
});
const connection = createProtocolConnection(
  new StreamMessageReader(child.stdout),
  new StreamMessageWriter(child.stdin),
);
const waiting = new Map<number, () => void>();
connection.onNotification('textDocument/publishDiagnostics', ({ version }: { readonly version: number }) => {
  waiting.get(version)?.();
});
connection.listen();
await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
let version = 0;
const findings = async (send: () => void): Promise<number> => {
  const found = Promise.withResolvers<void>();
  waiting.set(version, found.resolve);
  const begun = performance.now();
  send();
  await found.promise;
  return performance.now() - begun;
};

process.stdout.write(
  '| | lines | median, ms | p95, ms | slowest, ms | processor, ms |\n|---|---:|---:|---:|---:|---:|\n',
);
for (const [name, text] of Object.entries(texts)) {
  const uri = pathToFileURL(path.join(folder, name)).href;
  version += 1;
  await findings(() => {
    const document = { uri, languageId: 'json', version, text };
    void connection.sendNotification('textDocument/didOpen', { textDocument: document });
  });
  const line = text.split('\n').findIndex((each) => each.includes('model-40'));
  const character = (text.split('\n')[line]?.indexOf('model-40') ?? 0) + 'model-40'.length;
  const times: number[] = [];
  let used = 0;
  for (let typed = 0; typed < letters + warmUp; typed += 1) {
    version += 1;
    const before = cpuMs(child.pid ?? 0);
    const start = { line, character: character + typed };
    const took = await findings(() => {
      void connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range: { start, end: start }, text: 'x' }],
      });
    });
    if (typed < warmUp) continue;
    times.push(took);
    used += cpuMs(child.pid ?? 0) - before;
  }
  const sorted = times.toSorted((a, b) => a - b);
  const lines = text.split('\n').length;
  const cells = [lines, at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0.999), (used / times.length).toFixed(1)];
  process.stdout.write(`| ${path.extname(name).slice(1)} | ${cells.join(' | ')} |\n`);
  if (Number(cells[1]) >= maxMs) process.exitCode = 1;
}
child.stdin.end();
await once(child, 'exit');
rmSync(folder, { recursive: true });
