import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Problem } from '../../kernel/requests/problem.ts';
import { keepSealed, type SealedByPlace } from '../../kernel/secrets/keep-sealed.ts';
import { deploymentPlace, deploymentSettings } from './deployment-members.ts';
import type { Destination, Judging } from './destination.ts';
import { type DestinationBody, sentCredential } from './destination-body.ts';
import { credentialPlace, divertedProblems } from './diverted-problems.ts';
import { maskedCredential, placesOfCredential, readCredential } from './stored-credential.ts';
import { validateDestination } from './validate-destination.ts';

/** The columns of a record that say what it calls. */
export interface StoredDestination {
  readonly provider: string;
  readonly settings: string;
  readonly credential: string | null;
  readonly origins: string;
}

/** What a record would call, where its credential may go, what it keeps of the stored one, and all that is wrong. */
export interface ValidatedRecord {
  readonly destination: Destination;
  readonly origins: readonly string[];
  readonly kept: SealedByPlace;
  readonly problems: readonly Problem[];
}

const nothingStored: StoredDestination = { provider: '', settings: '{}', credential: null, origins: '[]' };

/** Validates what a record calls once a body is applied to what is stored, which is absent for a new record. */
export const validateRecord = (
  body: DestinationBody,
  validating: Judging,
  before: StoredDestination = nothingStored,
): ValidatedRecord => {
  const stored = readCredential(before.credential);
  const provider = body.provider ?? before.provider;
  const sent = sentCredential(body, provider, validating);
  const settings = { ...(body.settings ?? fromJson(before.settings)), ...deploymentSettings(body) };
  const credential = sent.credential ?? maskedCredential(stored);
  const destination: Destination = { provider, settings, credential };
  const { kept, problems: misplaced } = keepSealed({ settings, credential }, placesOfCredential(stored));
  const { origins, problems: wrong } = validateDestination(destination, validating);
  const found = [...sent.problems, ...misplaced, ...wrong];
  const keptPlaces = Object.keys(kept) as JsonPointer[];
  const keptAt = keptPlaces.length === 0 || sent.credential !== undefined ? keptPlaces : [credentialPlace];
  // Where it leads is not known if that is wrong.
  const leadsNowhere = origins.length === 0 && wrong.length > 0;
  const diversion = {
    before: { provider: before.provider, origins: fromJson(before.origins) },
    after: { provider, origins },
    keptAt,
  };
  const diverted = leadsNowhere ? [] : divertedProblems(diversion, validating);
  const problems = [...found, ...diverted].map((each) => ({
    ...each,
    pointer: deploymentPlace(body, sent.placeInBody(each.pointer)),
  }));
  return { destination, origins, kept, problems };
};
