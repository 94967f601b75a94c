import { closestName } from '../../../schema/closest-name.ts';
import { type Problem, problem } from '../keys/problem.ts';
import { judgeAddress } from './address-of.ts';
import { credentialProblems } from './credential-problems.ts';
import type { Destination, JudgedDestination, Judging } from './destination.ts';
import { settingProblems } from './setting-problems.ts';

const unknown = (name: string, { catalogue }: Judging): Problem => {
  const closest = closestName(name, [...catalogue.providers.keys()]);
  return problem(
    ['provider'],
    `There is no provider ${JSON.stringify(name.slice(0, 100))}.`,
    closest === undefined ? 'Write the id of a provider that the gateway has.' : `Did you mean "${closest}"?`,
  );
};

/** Holds a destination against what the provider's plugin says of its settings and of its credential. */
export const judgeDestination = (destination: Destination, judging: Judging): JudgedDestination => {
  const provider = judging.catalogue.providers.get(destination.provider);
  if (provider === undefined) return { origins: [], problems: [unknown(destination.provider, judging)] };
  const { origins, problems } = judgeAddress(provider, destination.settings, judging.hostFault);
  return {
    origins,
    problems: [
      ...settingProblems(provider, destination.settings),
      ...problems,
      ...credentialProblems(provider, destination),
    ],
  };
};
