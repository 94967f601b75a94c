import { expect, it, onTestFinished } from 'vitest';
import { reloadOnChange } from '../../../../runtime/cli/reload/reload-on-change.ts';
import type { ServeIo, ServeSignal } from '../../../../runtime/cli/services/serve-services.ts';
import { createGenerations } from '../../../../runtime/file-plans/generations.ts';
import type { PlanSource } from '../../../../runtime/file-plans/plan-source.ts';
import { requestPlan } from '../../../../runtime/tenant-plans/request-plan.ts';
import { fakeLinkedPlan } from '../../../support/plans/fake-linked-plan.ts';

/** Returns a folder that can be read once for each text. An empty text has no plan. */
const toFolder = (texts: readonly string[]): PlanSource => {
  const left = [...texts];
  return {
    folder: '/there/is/no/such/folder',
    read: async () => {
      const text = left.shift();
      if (text === undefined) throw new Error('The folder is gone.');
      return [{ name: 'main', file: 'main.json', text }];
    },
    toPlan: ({ text }) => {
      if (text === '') throw new Error('It is empty.');
      return { plan: { ...requestPlan, name: 'main' }, secrets: [], diagnostics: [] };
    },
  };
};

/** Returns what is printed if the folder is reloaded in order, once for each text after the first, and once more. */
const printedAt = async (texts: readonly string[]): Promise<readonly string[]> => {
  const printed: string[] = [];
  let send: (signal: ServeSignal) => void = () => {};
  const io: ServeIo = {
    cwd: '/',
    env: {},
    stdout: () => {},
    stderr: (text) => void printed.push(text),
    flushed: async () => {},
    readFile: async () => undefined,
    onSignal: (listener) => {
      send = listener;
      return () => {};
    },
    exit: () => {},
  };
  const unused = (): never => expect.unreachable();
  const generations = createGenerations({ source: toFolder(texts), link: (plan) => fakeLinkedPlan(plan, unused) });
  await generations.reload();
  onTestFinished(
    reloadOnChange(
      generations,
      {
        io,
        environment: unused,
        compiler: unused,
        control: unused,
        metrics: unused,
        telemetry: unused,
        alerts: unused,
        workerAlerts: unused,
        overload: unused,
        workers: unused,
        render: unused,
      },
      { settings: {} },
    ),
  );
  for (const _ of texts) send('SIGHUP');
  await expect.poll(() => printed.join('')).toContain('could not be read');
  return printed;
};

const folder = '/there/is/no/such/folder';
const goesOn = 'The last good configs stay in service.\n';
const isGone = expect.stringContaining('could not be read');

it('each reload reports what it changed, however quickly reloads follow each other', async () => {
  expect(await printedAt(['first', 'second', ''])).toEqual([
    `The plans in ${folder} were reloaded.\n`,
    expect.stringContaining('main.json'),
    goesOn,
    isGone,
  ]);
});

it('a reload reports once that no file is refused any more', async () => {
  const mended = `The plans in ${folder} were reloaded. No file is refused any more.\n`;
  const refused = [expect.stringContaining('main.json'), goesOn];
  const reloaded = `The plans in ${folder} were reloaded.\n`;
  expect(await printedAt(['first', '', 'first', '', 'second', 'third'])).toEqual([
    ...[...refused, mended, ...refused, mended, reloaded],
    isGone,
  ]);
});
