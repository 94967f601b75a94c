import { dirname, resolve } from 'node:path';
import { factsFileOf } from '../../../schema/config/file-names.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { FileModels } from '../../file-plans/file-models.ts';
import type { PlanSource } from '../../file-plans/plan-source.ts';
import type { Spool } from '../../http/forms/spool.ts';
import { type WatchedLists, watchLists } from '../../model-catalogue/watched-lists.ts';
import { defaultLimits, type Limits } from '../../server/limits.ts';
import type { ServeCompiler } from '../services/serve-environment.ts';
import type { ReadEnvironment } from '../settings/read-environment.ts';
import { ServeFailure, spoolFailure } from '../settings/serve-failure.ts';
import type { ConfigureServiceOptions } from './configure-service-options.ts';

export const toLimits = ({ limits = {} }: GatewayFile): Partial<Limits> => ({
  ...(limits.header_bytes === undefined ? {} : { headerBytes: limits.header_bytes }),
  ...(limits.config_bytes === undefined ? {} : { configBytes: limits.config_bytes }),
  ...(limits.body_bytes === undefined ? {} : { bodyBytes: limits.body_bytes }),
  ...(limits.bodies_bytes === undefined ? {} : { bodiesBytes: limits.bodies_bytes }),
  ...(limits.form_bytes === undefined ? {} : { formBytes: limits.form_bytes }),
  ...(limits.forms_bytes === undefined ? {} : { formsBytes: limits.forms_bytes }),
  ...(limits.answer_bytes === undefined ? {} : { answerBytes: limits.answer_bytes }),
  ...(limits.idle_ms === undefined ? {} : { idleMs: limits.idle_ms }),
});

/** Opens the folder for forms that are too large for memory. Throws a `ServeFailure` if it cannot be used. */
export const openSpool = async ({ settings, file }: ReadEnvironment): Promise<Spool | undefined> => {
  if (settings.spool_dir === undefined || file === undefined) return undefined;
  const folder = resolve(dirname(file), settings.spool_dir);
  const { Spool: FormSpool } = await import('../../http/forms/spool.ts');
  const spool = new FormSpool({ folder, ...defaultLimits, ...toLimits(settings) });
  await spool.check().catch((error: unknown) => {
    throw spoolFailure(error, folder);
  });
  return spool;
};

/** Returns the lists of providers beside the gateway file. Throws a `ServeFailure` if a file cannot be used. */
export const openLists = async ({ file }: ReadEnvironment): Promise<WatchedLists | undefined> => {
  if (file === undefined) return undefined;
  const lists = watchLists(factsFileOf(file));
  const problem = await lists.problem();
  if (problem !== undefined) throw new ServeFailure(`${problem} Or remove the file.`);
  return lists;
};

/** Returns why the lists of providers in use are not those of the file. */
export const unusedLists = (problem: string | undefined): readonly string[] =>
  problem === undefined ? [] : [`${problem} Until then, the previous lists stay in use.`];

/** Returns the virtual models of the gateway file. Undefined if it has none. */
export const fileModels = async (
  environment: ReadEnvironment,
  loadCompiler: () => Promise<ServeCompiler>,
): Promise<FileModels | undefined> => {
  if (environment.settings.models === undefined) return undefined;
  const { toFileModels } = await import('../settings/to-file-models.ts');
  return toFileModels(environment, loadCompiler);
};

export const openSource = async (
  { options, environment, services, shared }: ConfigureServiceOptions,
  compiler: () => Promise<ServeCompiler>,
): Promise<PlanSource | undefined> => {
  const together = shared?.source ?? ((own: PlanSource) => own);
  if (options.plans !== undefined) {
    const { plansFolder } = await import('../../file-plans/plans-folder.ts');
    return together(plansFolder(resolve(services.io.cwd, options.plans), environment.prepare));
  }
  const { settings, file } = environment;
  if (settings.configs === undefined || file === undefined) return undefined;
  const { configsFolder } = await import('../../file-plans/configs-folder.ts');
  const folder = resolve(dirname(file), settings.configs);
  return together(configsFolder(folder, async (text, config) => (await compiler()).compileOperator(text, config)));
};
