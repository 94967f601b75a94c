import { closestName } from '../../../../schema/text/closest-name.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { credentialProblems } from './credential-problems.ts';
import type { Destination, Judging, ValidatedDestination } from './destination.ts';
import { validateAddress } from './find-address.ts';
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
export const validateDestination = (destination: Destination, validating: Judging): ValidatedDestination => {
  const provider = validating.catalogue.providers.get(destination.provider);
  if (provider === undefined) return { origins: [], problems: [unknown(destination.provider, validating)] };
  const { origins, problems } = validateAddress(provider, destination.settings, validating.hostFault);
  return {
    origins,
    problems: [
      ...settingProblems(provider, destination.settings),
      ...problems,
      ...credentialProblems(provider, destination),
    ],
  };
};
