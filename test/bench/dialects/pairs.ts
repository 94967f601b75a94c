/**
 * `npm run bench:pairs`: the cost of translation. Measures one gateway with every pair of a client dialect and a provider
 * dialect, in interleaved rounds. Each figure is a multiple of chat to chat, which is measured immediately before. `--rounds=3
 * --seconds=1`.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { LoadOptions } from '../harness/load.ts';
import { cpuMicros, median, putLoad, type Server, startServer } from '../harness/measure.ts';
import { serveArgs } from '../harness/serve-args.ts';
import { type DialectPayloads, dialectPayloads } from './dialect-payloads.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const ports = { upstream: 19_200, gateway: 19_201 };
const here = import.meta.dirname;

/** A provider for each dialect, and the end of its base URL. */
const providers: Readonly<Record<string, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  gemini: 'google',
  converse: 'bedrock',
  cohere: 'cohere',
};

type Traffic = 'whole' | 'paced';

const toConfig = (provider: string, dialect: string, traffic: Traffic): string =>
  JSON.stringify({
    provider,
    custom_host: `http://127.0.0.1:${ports.upstream}/${dialect}/${traffic}`,
    ...(provider === 'bedrock' ? { cloudc_region: 'us-east-1' } : {}),
    api_key: 'bench-target-key',
  });

const toLoad = (client: DialectPayloads, upstream: string, traffic: Traffic): LoadOptions => ({
  mode: traffic === 'whole' ? 'closed' : 'streams',
  port: ports.gateway,
  connections: traffic === 'whole' ? 64 : 50,
  seconds,
  headers: { 'x-gw-config': toConfig(providers[upstream] ?? '', upstream, traffic) },
  ...client.request(traffic === 'paced'),
});

interface Cost {
  readonly request: number;
  readonly chunk: number;
}

const measured = async (gateway: Server, options: LoadOptions): Promise<number> => {
  const before = cpuMicros(gateway.pid);
  const { answers, failures } = await putLoad(options);
  if (failures > 0 || answers === 0) throw new Error(`${options.path}: ${failures} of ${answers} requests failed.`);
  return (cpuMicros(gateway.pid) - before) / answers;
};

const readCost = async (gateway: Server, client: DialectPayloads, upstream: string): Promise<Cost> => {
  const pieces = dialectPayloads.find(({ id }) => id === upstream)?.pieces.length ?? 1;
  const request = await measured(gateway, toLoad(client, upstream, 'whole'));
  return { request, chunk: (await measured(gateway, toLoad(client, upstream, 'paced'))) / pieces };
};

const upstream = await startServer({
  name: 'upstream',
  port: ports.upstream,
  args: [path.join(here, 'dialect-upstream.ts')],
  probe: { method: 'POST', path: '/chat/whole/chat/completions', body: '{}' },
});
const gateway = await startServer({
  name: 'gateway',
  port: ports.gateway,
  args: serveArgs(),
  env: { GW_TRUSTED_HOSTS: '127.0.0.1' },
  probe: { method: 'GET', path: '/livez' },
});
try {
  const chat = dialectPayloads.find(({ id }) => id === 'chat');
  if (chat === undefined) throw new Error('There is no chat dialect.');
  const pairs = dialectPayloads.flatMap((client) => Object.keys(providers).map((to) => ({ client, to })));
  const bases: Cost[] = [];
  const ratios = new Map<string, Cost[]>();
  for (const { client, to } of pairs) await readCost(gateway, client, to);
  for (let round = 0; round < rounds; round += 1)
    for (const client of dialectPayloads) {
      const base = await readCost(gateway, chat, 'chat');
      for (const to of Object.keys(providers)) {
        const cost = await readCost(gateway, client, to);
        const key = `${client.id} ${to}`;
        const ratio = { request: cost.request / base.request, chunk: cost.chunk / base.chunk };
        ratios.set(key, [...(ratios.get(key) ?? []), ratio]);
      }
      bases.push(base);
    }
  const cell = (key: string): string => {
    const all = ratios.get(key) ?? [];
    const of = (name: keyof Cost): string => `${median(all.map((each) => each[name])).toFixed(2)}`;
    return `${of('request')} / ${of('chunk')}`;
  };
  const columns = Object.keys(providers);
  const { request, chunk } = {
    request: median(bases.map((base) => base.request)),
    chunk: median(bases.map((base) => base.chunk)),
  };
  process.stdout.write(`chat to chat: ${request.toFixed(1)} µs a request, ${chunk.toFixed(1)} µs a chunk\n\n`);
  process.stdout.write(`| request / chunk | ${columns.join(' | ')} |\n|---|${columns.map(() => '---:|').join('')}\n`);
  for (const { id } of dialectPayloads)
    process.stdout.write(`| ${id} | ${columns.map((to) => cell(`${id} ${to}`)).join(' | ')} |\n`);
} finally {
  await gateway.stop();
  await upstream.stop();
}
