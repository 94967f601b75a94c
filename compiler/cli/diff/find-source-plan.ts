import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { CommandServices, Environment } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { countDiagnostics, findingsText, formatJson } from '../report/report.ts';
import { findSource, type Source, type SourceFlags } from './find-source.ts';

/** Returns the plan that an argument names. If it has errors, prints them and returns undefined. */
export const findSourcePlan = async (
  services: CommandServices,
  argument: string,
  { json, ...flags }: SourceFlags & { readonly json: boolean },
): Promise<{ readonly plan: RoutingPlan; readonly environment: Environment } | undefined> => {
  const { io } = services;
  const source: Source = await findSource(services, argument, flags);
  if (source.kind === 'folder') throw new UsageError(`"${argument}" is a folder.`, 'Name one config in it.');
  const { files, environment } = source;
  const plan = files.at(-1)?.plan;
  if (plan !== undefined && countDiagnostics(files).errors === 0) return { plan, environment };
  io.out.write(json ? formatJson(files) : findingsText(files, io.out));
  return undefined;
};
