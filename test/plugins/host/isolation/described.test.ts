import { expect, it } from 'vitest';
import { loadPlugins } from '../../../../plugins/host/load.ts';
import type { Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { isolate } from './support.ts';

const plugin = (members: string): string => `export default {
  name: 'acme', api: 1,
  guardrails: [{
    id: 'acme.act',
    parameters: { type: 'object', properties: { action: { type: 'string' } } },
    ${members}
    create: () => () => ({ pass: true, data: null }),
  }],
};`;

const declared = `
  aliases: ['acme.perform'], phases: ['output'], comparesAnswers: true, readsFlags: true,
  requestValues: { action: ['hide', 'seal'], mode: ['two-way'] },`;

const declaration = ({ aliases, phases, comparesAnswers, readsFlags, requestValues }: Guardrail): object => ({
  ...{ aliases, phases, comparesAnswers, readsFlags, requestValues },
});

it("an isolated check has the same declaration as one in the gateway's process", async () => {
  const files = { 'plugin.mjs': plugin(declared) };
  const inProcess = await loadPlugins(
    [{ package: './plugin.mjs', pointer: toPointer(['plugins', 0]) }],
    temporaryFolder(files),
  );
  const [expected] = inProcess.plugins[0]?.guardrails?.map(declaration) ?? [];
  expect(expected).toMatchObject({ readsFlags: true, requestValues: { mode: ['two-way'] } });
  const { loaded } = await isolate(files);
  expect(loaded.plugins[0]?.guardrails?.map(declaration)).toEqual([expected]);
});

it('ignores declared request values that are not lists of strings', async () => {
  const nonsense = `readsFlags: 'yes', requestValues: { action: ['hide', 7, null], mode: 'two-way' },`;
  const { loaded } = await isolate({ 'plugin.mjs': plugin(nonsense) });
  expect(loaded.plugins[0]?.guardrails?.[0]).toMatchObject({
    readsFlags: false,
    requestValues: { action: ['hide'], mode: [] },
  });
});

it('rejects a check whose create function is async', async () => {
  const { run } = await isolate({ 'plugin.mjs': plugin('').replace('create: ()', 'create: async ()') });
  expect(await run('anything')).toMatch(
    /^"create" of the check "acme\.act" must return a function, and must not be async:/,
  );
});
