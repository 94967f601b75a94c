import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitPlanModule } from '../../../compiler/emit/emit-plan-module.ts';
import type { DeclaredLabels } from '../../../schema/config/declared-labels.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';

const root = path.join(import.meta.dirname, '../../..');
const goldens = path.join(import.meta.dirname, 'golden');
const project = mkdtempSync(path.join(tmpdir(), 'gw-types-'));
afterAll(() => rmSync(project, { recursive: true }));

const config = readFileSync(path.join(goldens, 'prod.json'), 'utf8');

/** Returns the config with one name spelt differently everywhere. */
const renamed = (before: string, after: string): string => config.replaceAll(before, after);

/** Code that a service writes against the plan: a caller, a gateway, a route test. */
const service = `import { createGateway } from 'gatewright';
import { answers, route } from 'gatewright/testing';
import { bounds, headers, plan, type Target } from './prod.plan.ts';

export const calls: 9 = 9;
export const most: number = bounds.calls + bounds.waitMs;
export const target: Target = 'careful';
export const sent: Readonly<Record<string, string>> = { ...headers({ metadata: { region: 'eu', tier: 'gold' } }) };
export const gateway = () => createGateway({ plan, secrets: { ANTHROPIC_API_KEY: 'x', GROQ_API_KEY: 'y' } });
export const environment = () => createGateway({ plan, secrets: process.env });
// @ts-expect-error a plan with secrets asks for them
export const none = () => createGateway({ plan });
// @ts-expect-error and for all of them
export const some = () => createGateway({ plan, secrets: { GROQ_API_KEY: 'y' } });
export const test = () =>
  route(plan)
    .given({ metadata: { region: 'us', tier: 'gold' } })
    .when({ careful: answers(529) })
    .expect(['careful']);
`;

const toLine = (words: string): number => service.split('\n').findIndex((line) => line.includes(words)) + 1;

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  mkdirSync(path.join(project, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, folder, name), text);
};

const cases: Readonly<Record<string, string>> = {
  same: config,
  target: renamed('"careful"', '"thorough"'),
  metadata: renamed('metadata.tier', 'metadata.level'),
  'required-metadata': renamed('metadata.region', 'metadata.zone'),
  secret: renamed('ANTHROPIC_API_KEY', 'CLAUDE_KEY'),
};

const tsconfig = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
    typeRoots: [path.join(root, 'node_modules/@types')],
    types: ['node'],
    paths: { gatewright: [path.join(root, 'index.ts')], 'gatewright/testing': [path.join(root, 'testing.ts')] },
  },
  include: ['**/*.ts'],
};

const byTier = JSON.stringify({
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': 'gold', 'metadata.other': 'x' }, then: 'a' }],
    default: 'b',
  },
  targets: ['a', 'b'].map((name) => ({ name, provider: 'echo' })),
});

const labels: DeclaredLabels = {
  tier: { enum: ['gold', 'free', 3], enforce: true },
  team: { type: 'string', enforce: true, required: true },
  size: { type: 'integer', minimum: 1 },
  beta: { type: 'boolean' },
  'cost centre': { const: 'r&d' },
  any: { pattern: '^x' },
};

/** Calls with labels. Those after the first line break are mistakes. */
const callers = `import { headers } from './prod.plan.ts';
const base = { tier: 'gold', other: 'x', team: 'a' } as const;
export const right = [
  headers({ metadata: base }),
  headers({ metadata: { ...base, tier: 3, size: 2, beta: true, 'cost centre': 'r&d', any: 'xy' } }),
];

export const value = headers({ metadata: { ...base, tier: 'silver' } });
export const missing = headers({ metadata: { tier: 'gold', other: 'x' } });
export const kind = headers({ metadata: { ...base, size: 'large' } });
export const constant = headers({ metadata: { ...base, 'cost centre': 'sales' } });
export const unknown = headers({ metadata: { ...base, reigon: 'eu' } });
`;

let output = '';

/** Returns the errors of the type checker in one folder. */
const complaints = (folder: string): readonly string[] =>
  output.split('\n').filter((line) => line.startsWith(`${folder}/`));

const complaintLines = (folder: string): readonly number[] =>
  complaints(folder).flatMap((line) => Number(/service\.ts\((\d+),/.exec(line)?.[1] ?? []));

beforeAll(() => {
  write('.', { 'tsconfig.json': JSON.stringify(tsconfig), 'package.json': '{ "type": "module" }' });
  for (const name of readdirSync(goldens).filter((file) => file.endsWith('.golden')))
    write('goldens', { [name.replace(/\.golden$/, '')]: readFileSync(path.join(goldens, name), 'utf8') });
  for (const [folder, text] of Object.entries(cases))
    write(folder, { 'prod.plan.ts': emitPlanModule(compileConfig(text, 'prod')), 'service.ts': service });
  const declared = emitPlanModule(compileConfig(byTier, 'prod'), labels);
  write('declared', { 'prod.plan.ts': declared, 'service.ts': callers });
  const { stdout } = spawnSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
    cwd: project,
    encoding: 'utf8',
  });
  output = stdout;
}, 120_000);

describe('code written against a plan', () => {
  it('compiles in strict mode with every golden', () => {
    expect(complaints('goldens')).toEqual([]);
    expect(complaints('same')).toEqual([]);
  });

  it('resolves the types it is checked against', () => {
    expect(output).not.toContain('TS2307');
    expect(output).not.toContain('tsconfig.json');
  });

  it('stops compiling when a target is renamed', () => {
    const lines = complaintLines('target');
    expect(lines).toContain(toLine("target: Target = 'careful'"));
    expect(lines).toContain(toLine('.when({ careful'));
    expect(lines).toContain(toLine(".expect(['careful'])"));
  });

  it('stops compiling when a metadata key is renamed', () => {
    const lines = complaintLines('metadata');
    expect(lines).toContain(toLine('export const sent'));
    expect(lines).toContain(toLine('.given({ metadata'));
  });

  it('stops compiling when a metadata key that is read on every path is renamed', () => {
    const lines = complaintLines('required-metadata');
    expect(lines).toContain(toLine('export const sent'));
    expect(lines).toContain(toLine('.given({ metadata'));
  });

  it('stops compiling when a secret is renamed, but accepts the whole environment', () => {
    expect(complaintLines('secret')).toEqual([toLine('ANTHROPIC_API_KEY:')]);
  });

  it('is type-checked against the labels that the gateway file declares', () => {
    const lines = callers
      .split('\n')
      .flatMap((line, index) => (/^export const (?!right)/.test(line) ? [index + 1] : []));
    expect(lines).toHaveLength(5);
    expect(complaintLines('declared')).toEqual(lines);
  });
});
