import { findUnknownConfigs } from '../../../schema/config/unknown-configs.ts';
import type { Generations } from '../../file-plans/generations.ts';
import type { ServeServices } from '../services/serve-services.ts';
import type { ReadEnvironment } from './read-environment.ts';
import { ServeFailure } from './serve-failure.ts';

/** Throws a `ServeFailure` if the gateway file names a config that no file has, and prints the place. */
export const refuseUnknownConfigs = async (
  { current: { entries } }: Generations,
  { settings, source, diagnose }: ReadEnvironment,
  { io, render }: ServeServices,
): Promise<void> => {
  const problems = findUnknownConfigs(settings, [...entries.keys()]);
  const [first] = problems;
  if (first === undefined) return;
  if (source === undefined || diagnose === undefined) throw new ServeFailure(`${first.message} ${first.hint}`);
  io.stderr(await render(problems.map(diagnose), source));
  throw new ServeFailure(`The gateway file ${source.file} has errors. Correct them and start the gateway again.`);
};
