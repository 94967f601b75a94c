import { childPointer, rootPointer } from '../../../schema/json/pointer.ts';
import { suggestName } from '../../../schema/text/closest-name.ts';
import type { Generations } from '../../generations/generations.ts';
import type { FileProblem } from '../services/serve-environment.ts';
import type { ServeServices } from '../services/serve-services.ts';
import type { ReadEnvironment } from './read-environment.ts';
import { ServeFailure } from './serve-failure.ts';

const unknownConfigs = ({ current: { entries, models } }: Generations): readonly FileProblem[] => {
  const names = [...entries.keys()];
  const served = names.length === 0 ? 'No config is served.' : `The gateway serves ${names.join(', ')}.`;
  return [...models].flatMap(([name, { target }]) =>
    target.kind !== 'config' || entries.has(target.config)
      ? []
      : [
          {
            code: 'unknown-config',
            pointer: childPointer(rootPointer, 'models', name),
            message: `The virtual model "${name}" stands for the config "${target.config}", which does not exist.`,
            hint: suggestName(target.config, names, served),
          },
        ],
  );
};

/** Throws a `ServeFailure` where a virtual model stands for a config that no file has, and prints where that is. */
export const refuseUnknownConfigs = async (
  generations: Generations,
  { source, diagnose }: ReadEnvironment,
  { io, render }: ServeServices,
): Promise<void> => {
  const problems = unknownConfigs(generations);
  if (problems.length === 0 || source === undefined || diagnose === undefined) return;
  io.stderr(await render(problems.map(diagnose), source));
  throw new ServeFailure(`The gateway file ${source.file} has errors. Correct them and start the gateway again.`);
};
