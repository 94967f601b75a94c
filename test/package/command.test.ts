import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { runCommand } from '../support/commands/run-command.ts';
import { repository } from './support/packages.ts';
import { runGw } from './support/run-gw.ts';
import { servePacked } from './support/serve-packed.ts';

const project = inject('project');
const examples = 'node_modules/gatewright/schema/examples';

const packageVersion = (): string => JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')).version;

describe('the command of the package', () => {
  it.each(['gw', 'gatewright'])('is found by npx as %s', async (name) => {
    const { status, stdout } = await runCommand(['npx', name, '--version'], { cwd: project });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${packageVersion()}\n` });
  });

  it('checks the packaged examples and finds no problems', async () => {
    const { status, stdout, stderr } = await runGw(project, 'check', examples, '--format', 'json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { files }: { readonly files: readonly { readonly diagnostics: readonly unknown[] }[] } = JSON.parse(stdout);
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  });

  it('compiles an example to a plan and a typed module', async () => {
    const out = mkdtempSync(path.join(project, 'out-'));
    const result = await runGw(project, 'compile', `${examples}/echo.json`, '--out', out);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(out).sort()).toEqual(['echo.plan.json', 'echo.plan.ts']);
  });

  it('explains an example', async () => {
    const { status, stdout } = await runGw(project, 'explain', `${examples}/echo.json`);
    expect(status).toBe(0);
    expect(stdout).toContain('reaches    echo');
  });

  it('serves a chat request', async () => {
    const gateway = await servePacked(project);
    onTestFinished(() => gateway.stop());
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-provider': 'echo' },
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Are you there?' }] }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Are you there?' } }] });
  });
});
