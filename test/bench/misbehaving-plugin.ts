import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The behaviours of the plugin's check; `none` is a target without it. */
export type Act = 'none' | 'pass' | 'loop' | 'memory' | 'timer';

const module = `
const acts = {
  pass: () => ({ pass: true, data: null }),
  loop: () => { for (;;); },
  memory: () => { const kept = []; for (;;) kept.push(Buffer.alloc(4 << 20, 1)); },
  timer: () => { setTimeout(() => { throw new Error('thrown in a timer'); }, 1); return new Promise(() => {}); },
};
export default {
  name: 'acme', api: 1,
  guardrails: [{
    id: 'acme.act',
    parameters: { type: 'object', required: ['how'], properties: { how: { type: 'string' } } },
    create: ({ how }) => () => acts[how](),
  }],
};`;

const acting = (how: Exclude<Act, 'none'>, timeout: number): object => ({
  provider: 'echo',
  input_guardrails: [{ 'acme.act': { how, timeout, failOnError: true }, deny: true }],
});

/** Writes a gateway file with an isolated plugin, a config for each act, and the config `plain`, which has no checks. */
export const writeMisbehaving = (upstream: number): { readonly folder: string; readonly gatewayFile: string } => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
  mkdirSync(path.join(folder, 'configs'));
  const write = (name: string, content: unknown): void =>
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  write('package.json', { type: 'module' });
  write('acme.js', module);
  write('gateway.json', {
    configs: 'configs',
    trusted_hosts: ['127.0.0.1'],
    plugins: [{ package: './acme.js', isolate: true }],
  });
  write('configs/plain.json', {
    provider: 'openai',
    api_key: '$' + '{env:BENCH_KEY}',
    custom_host: `http://127.0.0.1:${upstream}/v1`,
  });
  write('configs/none.json', { provider: 'echo' });
  write('configs/pass.json', acting('pass', 1000));
  write('configs/loop.json', acting('loop', 500));
  write('configs/memory.json', acting('memory', 5000));
  write('configs/timer.json', acting('timer', 1000));
  return { folder, gatewayFile: path.join(folder, 'gateway.json') };
};
