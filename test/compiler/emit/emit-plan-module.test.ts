import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { emitPlanJson } from '../../../compiler/emit/emit-plan-json.ts';
import { emitPlanModule } from '../../../compiler/emit/emit-plan-module.ts';
import { loadTsMorph, MissingTsMorphError } from '../../../compiler/emit/load-ts-morph.ts';
import { loadPlan } from '../../../schema/plan/load-plan.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';

const folder = path.join(import.meta.dirname, 'golden');
const configs = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.plan.json'));
const names = configs.map((name) => name.replace(/\.json$/, ''));
const toPlan = (name: string) => compileConfig(readFileSync(path.join(folder, `${name}.json`), 'utf8'), name);

/** Named so that no tool mistakes a golden for a source file of this project. */
const golden = (file: string, text: string): string => {
  const target = path.join(folder, `${file}.golden`);
  if (process.env.UPDATE_GOLDENS !== undefined || !existsSync(target)) writeFileSync(target, text);
  return readFileSync(target, 'utf8');
};

const temporary = mkdtempSync(path.join(tmpdir(), 'gw-emit-'));
afterAll(() => rmSync(temporary, { recursive: true }));

interface EmittedModule {
  readonly plan: unknown;
  readonly headers: (options?: object) => Record<string, string>;
}

/** Imports the module as a program does. */
const emitted = async (name: string): Promise<EmittedModule> => {
  const file = path.join(temporary, `${name}.plan.ts`);
  writeFileSync(file, emitPlanModule(toPlan(name)));
  return import(pathToFileURL(file).href);
};

describe('the typed module of a plan', () => {
  it.each(names)('of %s matches its golden', (name) => {
    const text = emitPlanModule(toPlan(name));
    expect(text).toBe(golden(`${name}.plan.ts`, text));
  });

  it.each(names)('of %s is the same after the plan was written and read again', (name) => {
    const plan = toPlan(name);
    expect(emitPlanModule(loadPlan(emitPlanJson(plan)))).toBe(emitPlanModule(plan));
  });

  it.each(names)('of %s contains the plan itself', async (name) => {
    const { plan } = await emitted(name);
    expect(loadPlan(plan)).toEqual(toPlan(name));
  });

  it('creates headers that an HTTP client can send, whatever the metadata is', async () => {
    const { headers } = await emitted('prod');
    const made = headers({
      metadata: { region: 'eu-zürich 👋', tier: 'gold' },
      labels: { _user: 'Zoë', region: 'never' },
      traceId: 'trace-1',
    });
    const sent = new Headers(made);
    expect(sent.get('x-gw-config')).toBe('prod');
    expect(sent.get('x-gw-trace-id')).toBe('trace-1');
    expect(JSON.parse(sent.get('x-gw-metadata') ?? '')).toEqual({
      _user: 'Zoë',
      region: 'eu-zürich 👋',
      tier: 'gold',
    });
  });

  it('requires no metadata if the plan reads none', async () => {
    const { headers } = await emitted('plain');
    expect(headers()).toEqual({ 'x-gw-config': 'plain', 'x-gw-metadata': '{}' });
  });

  it('names the missing package if ts-morph is not installed', () => {
    const absent = (): never => {
      throw Object.assign(new Error("Cannot find module 'ts-morph'"), { code: 'MODULE_NOT_FOUND' });
    };
    expect(() => loadTsMorph(absent)).toThrow(MissingTsMorphError);
    expect(() => loadTsMorph(absent)).toThrow(/ts-morph.*npm install.*--no-types/);
  });

  it('does not mistake another failure for a missing package', () => {
    const broken = (): never => {
      throw new Error('ts-morph is damaged');
    };
    expect(() => loadTsMorph(broken)).toThrow('ts-morph is damaged');
  });
});

describe('the JSON of a plan', () => {
  it.each(names)('of %s is one line that loads to the plan', (name) => {
    const text = emitPlanJson(toPlan(name));
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect(loadPlan(text)).toEqual(toPlan(name));
  });
});
