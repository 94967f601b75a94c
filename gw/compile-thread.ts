/** A thread that compiles configs and writes plans, as the thread of the command would. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CompiledConfig } from '../compiler/cli/command-line/config-to-compile.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import { nodeIo } from '../compiler/cli/files/node-io.ts';
import { toError } from '../schema/text/error-text.ts';
import { commandServices } from './command-services.ts';
import type { FromCompileThread, ThreadJob, ThreadStart } from './threads/messages.ts';

const { cwd, gatewayFile, text }: ThreadStart = workerData;
const services = await commandServices(nodeIo({ cwd }));
const environment = await services.environment(gatewayFile, text);

const withWrittenPlan = async ({ plan, ...result }: CompiledConfig): Promise<CompiledConfig> => {
  if (plan === undefined) return result;
  const { emitPlanJson } = await import('../compiler/emit/emit-plan-json.ts');
  const { name, hash, bounds } = plan;
  return { ...result, name, written: { name, hash, bounds, json: emitPlanJson(plan) } };
};

const run = async (job: ThreadJob): Promise<unknown> => {
  if (job.kind === 'emit') {
    const { emitPlan } = await import('../compiler/emit/emit-plan.ts');
    return emitPlan(job.plan);
  }
  const { text: config, writes = false, ...options } = job.config;
  const result = await services.compile(config, { ...options, environment });
  return writes ? withWrittenPlan(result) : result;
};

const toAnswer = (job: ThreadJob): Promise<FromCompileThread> =>
  run(job).then(
    (result) => ({ kind: 'done', result }) as const,
    (error: unknown) =>
      error instanceof UsageError
        ? ({ kind: 'refused', message: error.message, hint: error.hint } as const)
        : ({ kind: 'failed', error: toError(error) } as const),
  );

// Configs are compiled one after the other, because some of them may have to load something first.
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (job: ThreadJob) => {
  last = last.then(async () => parentPort?.postMessage(await toAnswer(job)));
});
