import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { keepSealed } from '../../kernel/secrets/literals.ts';
import type { Destination, Judging } from './destination.ts';
import { type DestinationBody, deploymentPlace, deploymentSettings, sentCredential } from './destination-body.ts';
import {
  type CredentialOwner,
  maskedCredential,
  placesOfCredential,
  readCredential,
  sealCredential,
} from './stored-credential.ts';
import { validateDestination } from './validate-destination.ts';

/** The provider that a record calls, and where its credential goes. */
type Called = Pick<Destination, 'provider'> & { readonly origins: readonly string[] };

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((origin) => other.includes(origin));

const inWords = (origins: readonly string[]): string => (origins.length === 0 ? 'no host' : origins.join(', '));

/** Lists what is wrong with a change that would send a stored credential to a host that it was not saved for. */
const divertedProblems = (
  {
    before,
    after,
    keptAt,
  }: {
    readonly before: Called;
    readonly after: Called;
    /** Where the body keeps what is stored; the credential itself, if the body does not have it. */
    readonly keptAt: readonly JsonPointer[];
  },
  { catalogue: { providers } }: Judging,
): readonly Problem[] => {
  const staysWith = providers.get(before.provider) === providers.get(after.provider);
  if (staysWith && isSame(before.origins, after.origins)) return [];
  const [from, to] = staysWith
    ? [inWords(before.origins), inWords(after.origins)]
    : [`the provider ${before.provider}`, `the provider ${after.provider}`];
  return keptAt.map((pointer) => ({
    ...problem([], `The stored credential is for ${from}, and this change leads to ${to}.`, ''),
    hint: 'Send the credential itself together with this change.',
    pointer,
  }));
};

/** The columns of a record that say what it calls. */
interface StoredDestination {
  readonly provider: string;
  readonly settings: string;
  readonly credential: string | null;
  readonly origins: string;
}

const nothingStored: StoredDestination = { provider: '', settings: '{}', credential: null, origins: '[]' };

/** Validates what a record calls once a body is applied to what is stored, which is absent for a new record. */
const validateRecord = (body: DestinationBody, validating: Judging, before: StoredDestination = nothingStored) => {
  const stored = readCredential(before.credential);
  const provider = body.provider ?? before.provider;
  const sent = sentCredential(body, provider, validating);
  const settings = { ...(body.settings ?? fromJson(before.settings)), ...deploymentSettings(body) };
  const credential = sent.credential ?? maskedCredential(stored);
  const destination: Destination = { provider, settings, credential };
  const { kept, problems: misplaced } = keepSealed({ settings, credential }, placesOfCredential(stored));
  const { origins, problems: wrong } = validateDestination(destination, validating);
  const keptPlaces = Object.keys(kept) as JsonPointer[];
  // Where it leads is not known if that is wrong.
  const leadsNowhere = origins.length === 0 && wrong.length > 0;
  const diversion = {
    before: { provider: before.provider, origins: fromJson(before.origins) },
    after: { provider, origins },
    // The credential itself, which a body that keeps all of it leaves out.
    keptAt: keptPlaces.length === 0 || sent.credential !== undefined ? keptPlaces : [toPointer(['credential'])],
  };
  const diverted = leadsNowhere ? [] : divertedProblems(diversion, validating);
  const problems = [...sent.problems, ...misplaced, ...wrong, ...diverted].map((each) => ({
    ...each,
    pointer: deploymentPlace(body, sent.placeInBody(each.pointer)),
  }));
  return { destination, origins, kept, problems };
};

/** A change of what a record calls, or what a new one calls. */
export interface DestinationChange {
  readonly body: DestinationBody;
  readonly owner: CredentialOwner;
  readonly before?: StoredDestination | undefined;
  /** The problems of the rest of the body. */
  readonly problems: readonly InputProblem[];
}

const missing = problem([], 'The member "provider" is missing.', 'Write the id of the provider that is called.');

/**
 * The columns that say what a record calls, with its credential sealed. Throws the `GatewayError` `invalid-input` with all
 * that is wrong; rejects with a `SecretError` if nothing can be sealed.
 */
export const sealDestination = async (
  parts: Pick<ControlParts, 'catalogue' | 'findHostError' | 'sealer'>,
  { body, owner, before, problems }: DestinationChange,
): Promise<StoredDestination> => {
  if (body.provider === undefined && before === undefined) refuse([...problems, missing]);
  const validated = validateRecord(body, parts, before);
  refuse([...problems, ...validated.problems]);
  const { destination, origins, kept } = validated;
  return {
    provider: destination.provider,
    settings: JSON.stringify(destination.settings),
    credential: await sealCredential(parts.sealer, { given: destination.credential, kept, owner }),
    origins: JSON.stringify(origins),
  };
};
