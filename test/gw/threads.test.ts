import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../compiler/cli/check.ts';
import type { CommandServices } from '../../compiler/cli/command-line/services.ts';
import { compile } from '../../compiler/cli/compile.ts';
import { manyConfigs } from '../../compiler/cli/configs/with-threads.ts';
import { nodeIo } from '../../compiler/cli/files/node-io.ts';
import { emitPlan } from '../../compiler/emit/emit-plan.ts';
import { commandServices } from '../../gw/command-services.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { config } from '../support/arbitraries/config.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';
import { slowLawMs } from '../support/run/law-runs.ts';
import { isSampled } from '../support/run/sampled-pairs.ts';

const toConfig = (index: number): JsonObject => ({
  name: `config-${index}`,
  strategy: { mode: index % 2 === 0 ? 'fallback' : 'loadbalance' },
  targets: ['openai', 'anthropic'].map((provider) => ({
    provider,
    api_key: `\${env:KEY_${index % 3}}`,
    override_params: { model: `model-${index % 7}`, temperature: index / 10 },
  })),
});

const writeConfigs = (folder: string, configs: readonly JsonObject[]): void => {
  for (const [index, each] of configs.entries())
    writeFileSync(path.join(folder, `${index}.json`), JSON.stringify(each, undefined, index % 3));
};

/** Text output needs only findings, and JSON also names plans. Each test of a sample uses one of the two. */
const formatsOf = (test: number): readonly ('human' | 'json')[] =>
  (['human', 'json'] as const).filter((_, at) => isSampled(test, at, 2));

const withoutThreads = ({ threads: _, ...services }: CommandServices): CommandServices => services;

interface Ran {
  readonly code: number;
  readonly out: string;
  /** How often threads were started. */
  readonly started: number;
}

/** Runs a command in a folder, with threads if it requests them, or without. */
const run = async (
  cwd: string,
  command: (services: CommandServices) => Promise<number>,
  has: 'threads' | 'none',
): Promise<Ran> => {
  let out = '';
  let started = 0;
  const io = nodeIo({
    cwd,
    out: { colour: false, write: (text) => (out += text) },
    err: { colour: false, write() {} },
  });
  const services = await commandServices(io);
  const counted: CommandServices = {
    ...services,
    threads: (...asked) => {
      started += 1;
      return services.threads?.(...asked) ?? Promise.reject(new Error('There are no threads.'));
    },
  };
  const code = await command(has === 'threads' ? counted : withoutThreads(services));
  return { code, out, started };
};

const readFiles = (folder: string): ReadonlyMap<string, string> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));

describe('compile threads', { timeout: slowLawMs }, () => {
  it('report for many random configs what a single thread reports, in the same order', async () => {
    const folder = temporaryFolder();
    const seed = Math.floor(Math.random() * 2 ** 31);
    const broken = ['{', '', '{"provider": 7, "retry": {"attempts": 99}}', '{"virtual_key": "nothing-of-that-name"}'];
    const count = manyConfigs.plain - broken.length;
    writeConfigs(folder, fc.sample(config, { seed, numRuns: count }));
    for (const [index, text] of broken.entries()) writeFileSync(path.join(folder, `${index}-broken.json`), text);
    for (const format of formatsOf(0)) {
      const command = (services: CommandServices) => check(services, ['.', '--format', format]);
      const [threaded, plain] = [await run(folder, command, 'threads'), await run(folder, command, 'none')];
      expect(threaded.started).toBe(1);
      expect({ seed, ...threaded, started: 0 }).toEqual({ seed, ...plain });
      expect(plain.code).toBe(1);
    }
  });

  it('write the same plans as a single thread', async () => {
    const folder = temporaryFolder();
    const configs = path.join(folder, 'configs');
    mkdirSync(configs);
    writeConfigs(
      configs,
      Array.from({ length: manyConfigs.plain }, (_, index) => toConfig(index)),
    );
    const compiled = async (has: 'threads' | 'none', format: 'human' | 'json') => {
      const out = path.join(folder, has);
      const argv = ['configs', '--out', out, '--no-types', '--format', format];
      const ran = await run(folder, (services) => compile(services, argv), has);
      return { ...ran, out: ran.out.replaceAll(has, 'out'), files: readFiles(out) };
    };
    for (const format of formatsOf(1)) {
      const [threaded, plain] = [await compiled('threads', format), await compiled('none', format)];
      expect(threaded.started).toBe(1);
      expect(plain.files.size).toBe(manyConfigs.plain);
      expect({ ...threaded, started: 0 }).toEqual(plain);
    }
  });

  it('write the same typed modules as a single thread', async () => {
    const services = await commandServices(nodeIo());
    const environment = await services.environment(undefined, undefined);
    const threads = await services.threads?.(undefined, undefined);
    for (const index of [0, 1]) {
      const options = { file: 'config.json', name: 'config' };
      const text = JSON.stringify(toConfig(index));
      const { plan } = await services.compile(text, { ...options, environment });
      const threaded = await threads?.compile({ ...options, text });
      expect(threaded?.plan).toEqual(plan);
      if (plan === undefined) throw new Error('The config has a plan.');
      expect(await threads?.emit({ plan, types: true })).toEqual(emitPlan({ plan, types: true }));
    }
  });

  it('end the command as a single thread does if a file that it reads is damaged', async () => {
    const folder = temporaryFolder({ 'gateway.json': {}, 'gateway.models.json': '{ "format": ' });
    const configs = path.join(folder, 'configs');
    mkdirSync(configs);
    writeConfigs(
      configs,
      Array.from({ length: manyConfigs.typed }, (_, index) => toConfig(index)),
    );
    const [many, one] = [
      await runGw(folder, ['compile', 'configs', '--out', 'plans']),
      await runGw(folder, ['check', 'configs/0.json']),
    ];
    expect(many).toEqual(one);
    expect(many).toMatchObject({ code: 2, err: expect.stringContaining('gateway.models.json') });
  });

  it('are not started for a few configs', async () => {
    const folder = temporaryFolder();
    writeConfigs(folder, [toConfig(1)]);
    expect(await run(folder, (services) => check(services, ['.']), 'threads')).toMatchObject({ code: 0, started: 0 });
  });
});
