import path from 'node:path';
import type { PlanSource } from '../../../runtime/file-plans/plan-source.ts';
import type { OwnTarget } from '../../../runtime/model-catalogue/refresh-lists.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { savedConfigs } from '../../environment/saved-configs.ts';
import { serveCompiler } from '../../environment/serve-compiler.ts';
import { besideFile, type OwnFile, type OwnPlans, type SetUp } from './set-up.ts';

/** Returns the folder of plans that the gateway would serve; undefined without one. */
export const plansFolderOf = (setUp: SetUp): string | undefined => {
  const { options, settings, cwd } = setUp;
  if (options.plans !== undefined) return path.resolve(cwd, options.plans);
  return settings.configs === undefined ? undefined : besideFile(setUp, settings.configs);
};

type Compiler = Awaited<ReturnType<typeof serveCompiler>>;

const openSource = async (setUp: SetUp, compiler: () => Promise<Compiler>): Promise<PlanSource | undefined> => {
  const folder = plansFolderOf(setUp);
  if (folder === undefined) return undefined;
  if (setUp.options.plans !== undefined) {
    const { plansFolder } = await import('../../../runtime/file-plans/plans-folder.ts');
    return plansFolder(folder, setUp.environment.prepare);
  }
  const { configsFolder } = await import('../../../runtime/file-plans/configs-folder.ts');
  return configsFolder(folder, async (text, file) => (await compiler()).compileOperator(text, file));
};

const loadFile = async (source: PlanSource, each: Awaited<ReturnType<PlanSource['read']>>[number]) => {
  const { file } = each;
  if ('unreadable' in each) return { own: { file, diagnostics: [], unreadable: each.unreadable }, targets: [] };
  try {
    const { plan, secrets, diagnostics } = await source.toPlan(each);
    const targets = plan?.targets.map((target) => ({ target, slots: secrets })) ?? [];
    return { own: { file, text: each.text, diagnostics, ...(plan === undefined ? {} : { plan }) }, targets };
  } catch (error) {
    return { own: { file, diagnostics: [], unreadable: errorText(error) }, targets: [] };
  }
};

/** Compiles the configs of the gateway file's folder, and its saved records. Rejects if the folder cannot be read. */
export const readOwnPlans = async (setUp: SetUp): Promise<OwnPlans> => {
  const { environment } = setUp;
  let made: Promise<Compiler> | undefined;
  const compiler = (): Promise<Compiler> => (made ??= serveCompiler(environment));
  const targets: OwnTarget[] = [];
  for (const { name, text } of savedConfigs(environment.saved)) {
    const { plan, secrets } = await (await compiler()).compileOperator(text, name);
    targets.push(...(plan?.targets ?? []).map((target) => ({ target, slots: secrets })));
  }
  const source = await openSource(setUp, compiler);
  const files: OwnFile[] = [];
  for (const each of (await source?.read()) ?? []) {
    if (source === undefined) break;
    const loaded = await loadFile(source, each);
    files.push(loaded.own);
    targets.push(...loaded.targets);
  }
  return { files, targets };
};
