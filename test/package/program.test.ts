import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { cleanEnvironment } from '../support/commands/clean-environment.ts';
import { runCommand } from '../support/commands/run-command.ts';
import { runGw } from './support/run-gw.ts';
import { typeCheck } from './support/type-check.ts';

const project = inject('project');

const config = {
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': { $eq: 'gold' } }, then: 'careful' }],
    default: 'fast',
  },
  targets: [
    { name: 'fast', provider: 'echo' },
    { name: 'careful', provider: 'openai', api_key: '${env:OPENAI_API_KEY}' },
  ],
};

const program = `
import { createGateway } from 'gatewright';
import { headers, plan } from './plans/prod.plan.ts';

const gateway = createGateway({ plan, secrets: process.env });
const answer: Response = await gateway.fetch(
  new Request('http://gateway.invalid/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers({ metadata: { tier: 'free' } }) },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Are you there?' }] }),
  }),
);
process.stdout.write(await answer.text());
await gateway.close();
`;

const routeTest = `
import { answers, route } from 'gatewright/testing';
import { bounds, plan } from './plans/prod.plan.ts';

const calls: 1 = bounds.calls;
await route(plan).given({ metadata: { tier: 'gold' } }).when({ careful: answers(200) }).expect(['careful'], { status: 200 });
process.stdout.write(String(calls));
`;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(project, 'program-'));
  mkdirSync(path.join(folder, 'configs'));
  writeFileSync(path.join(folder, 'configs/prod.json'), JSON.stringify(config));
  writeFileSync(path.join(folder, 'program.ts'), program);
  writeFileSync(path.join(folder, 'prod.test.ts'), routeTest);
  const inProject = (file: string): string => path.relative(project, path.join(folder, file));
  expect(await runGw(project, 'compile', inProject('configs'), '--out', inProject('plans'))).toMatchObject({
    status: 0,
  });
});

const node = (file: string, env: Readonly<Record<string, string>>) =>
  runCommand(['node', file], { cwd: folder, env: { ...cleanEnvironment(), ...env } });

describe('a program with a compiled plan', () => {
  it('answers a request with it', async () => {
    const { status, stdout, stderr } = await node('program.ts', { OPENAI_API_KEY: 'sk-of-a-test' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ choices: [{ message: { content: 'Are you there?' } }] });
  });

  it('fails with the name of a missing secret', async () => {
    const { status, stderr } = await node('program.ts', {});
    expect(status).not.toBe(0);
    expect(stderr).toContain('OPENAI_API_KEY');
  });

  it('passes its route test', async () => {
    expect(await node('prod.test.ts', {})).toEqual({ status: 0, stdout: '1', stderr: '' });
  });

  it.each(['nodenext', 'bundler'] as const)('passes strict type checks with %s resolution', async (resolution) => {
    expect(await typeCheck(folder, { files: ['program.ts', 'prod.test.ts'], resolution })).toBe('');
  });

  it('fails its type check if it uses a target name that the plan does not have', async () => {
    writeFileSync(path.join(folder, 'stale.test.ts'), routeTest.replace('{ careful: answers', '{ slow: answers'));
    const said = await typeCheck(folder, { files: ['stale.test.ts'], resolution: 'nodenext' });
    expect(said).toMatch(/stale\.test\.ts\(\d+,\d+\): error TS\d+: .*'slow' does not exist/s);
  });
});
