import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { runCommand } from '../support/commands/run-command.ts';
import { typeCheck } from './support/type-check.ts';

const project = inject('project');

/** Uses a value and a type of each subpath, so that one that is `any` or missing does not compile. */
const program = `
import assert from 'node:assert/strict';
import { builtinPlugins, createGateway, type Gateway } from 'gatewright';
import { buildCatalogue, compile, emitPlanJson, nothingSaved, type Diagnostic } from 'gatewright/compiler';
import { defineGuardrail, definePlugin, fail, type Guardrail, pass, type Verdict } from 'gatewright/sdk';
import { answers, route, testGuardrail } from 'gatewright/testing';
import { hashPlan, loadPlan, type RoutingPlan } from 'gatewright/schema';
import configSchema from 'gatewright/schema/config.schema.json' with { type: 'json' };
import gatewaySchema from 'gatewright/schema/gateway.schema.json' with { type: 'json' };
import routeTestSchema from 'gatewright/schema/route-test.schema.json' with { type: 'json' };

const judge = (text: string, limit: number): Verdict => (text.length > limit ? fail('Too long.') : pass());
const short: Guardrail = defineGuardrail({
  id: 'mine.short',
  parameters: { type: 'object', required: ['limit'], properties: { limit: { type: 'integer' } } },
  create({ limit }) {
    // @ts-expect-error a parameter has the type that its schema says
    const text: string = limit;
    return (input) => judge(input.text, Number(text));
  },
});
await testGuardrail(short, [{ parameters: { limit: 3 }, text: 'four', verdict: 'fail' }]);
const mine = definePlugin({ name: 'mine', guardrails: [short] });

const { plan, diagnostics } = compile(
  '{ "provider": "echo", "input_guardrails": [{ "mine.short": { "limit": 3 }, "deny": true }] }',
  { trust: 'operator', catalogue: buildCatalogue([...builtinPlugins, mine]), saved: nothingSaved },
);
// @ts-expect-error a diagnostic is not a text
const texts: readonly string[] = diagnostics;
const found: readonly Diagnostic[] = diagnostics;
assert.equal(found.length + texts.length, 0);
assert.ok(plan);

const same: RoutingPlan = loadPlan(emitPlanJson(plan));
assert.equal(hashPlan(same), plan.hash);
await route(same, { plugins: [mine] }).when({ echo: answers(200) }).run();

const gateway: Gateway = createGateway({ plan: same, plugins: [mine] });
await gateway.close();

assert.equal(configSchema.$schema, gatewaySchema.$schema);
assert.equal(configSchema.$schema, routeTestSchema.$schema);
process.stdout.write('All of it works.');
`;

/** For a project without `@types/node`. Platform types have a plain shape there and are not `any`. */
const bareProgram = `
import { createGateway, type Gateway } from 'gatewright';
import { compile } from 'gatewright/compiler';
import { createEditor } from 'gatewright/editor';
import type { ByteStream, Provider, RequestBody, Sink } from 'gatewright/sdk';
import { route } from 'gatewright/testing';
import { loadPlan } from 'gatewright/schema';

export const faces = [createGateway, compile, createEditor, route, loadPlan];
export const statusOf = async (gateway: Gateway, request: object): Promise<number> => {
  const answer = await gateway.fetch(request);
  // @ts-expect-error a status is not a text
  const text: string = answer.status;
  return answer.status + text.length;
};
export const sizeOf = (body: RequestBody): number => (body.kind === 'bytes' ? body.bytes.byteLength : 0);
export const relay = async (stream: ByteStream, sink: Sink): Promise<void> => {
  for await (const chunk of stream) sink.write(chunk.subarray(0));
};
export type Upstream = NonNullable<Provider['inProcess']>;
`;

beforeAll(() => {
  writeFileSync(path.join(project, 'faces.ts'), program);
  writeFileSync(path.join(project, 'bare.ts'), bareProgram);
});

describe('the subpaths of the package', () => {
  it('work together in a program', async () => {
    expect(await runCommand(['node', 'faces.ts'], { cwd: project })).toEqual({
      status: 0,
      stdout: 'All of it works.',
      stderr: '',
    });
  });

  it.each(['nodenext', 'bundler'] as const)('have strict types with %s module resolution', async (resolution) => {
    expect(await typeCheck(project, { files: ['faces.ts'], resolution })).toBe('');
  });

  it.each(['nodenext', 'bundler'] as const)('need no @types/node with %s module resolution', async (resolution) => {
    expect(await typeCheck(project, { files: ['bare.ts'], resolution, bare: true })).toBe('');
  });
});
