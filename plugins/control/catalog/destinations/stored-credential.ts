import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { StoredSecret } from '../../kernel/secrets/compare-secrets.ts';
import { keepSealed, placeholderAt } from '../../kernel/secrets/literals.ts';
import type { Sealed, SealedAt } from '../../kernel/secrets/seal.ts';
import type { CredentialOwner, Destination, GivenCredential, StoredPool, ValidationContext } from './destination.ts';
import { type DestinationBody, deploymentPlace, deploymentSettings, sentCredential } from './destination-body.ts';
import { fieldPlace, readKeysInBody, shownKeys } from './read-keys-in-body.ts';
import type { PreparedTls } from './seal-tls.ts';
import { shownTls, tlsSecrets } from './stored-tls.ts';
import { validateDestination } from './validate-destination.ts';

/** A credential as stored in the column `credential`: sealed secrets by config field name. */
export interface StoredCredential {
  readonly [field: string]: Sealed;
}

/** Returns the place that a field of a credential is sealed for. */
export const sealedAt = (owner: CredentialOwner, field: string): SealedAt => ({
  ...owner,
  field: `credential${toPointer([field])}`,
});

/** The column: the secrets, and how the keys are chosen if there are several. No field of a credential is named `pool`. */
interface CredentialColumn {
  readonly pool?: StoredPool;
}

/** Returns the secrets in the column of a credential. */
export const readCredential = (column: string | null): StoredCredential => {
  if (column === null) return {};
  // The store contains only what was sealed.
  const { pool: _pool, ...sealed } = fromJson(column) as CredentialColumn & StoredCredential;
  return sealed;
};

/** Returns how the keys in the column of a credential are chosen; undefined unless it has several. */
export const readPool = (column: string | null): StoredPool | undefined =>
  column === null ? undefined : (fromJson(column) as CredentialColumn).pool;

/** Returns a credential as it is shown, with a placeholder for each secret. */
const maskedCredential = (stored: StoredCredential): GivenCredential =>
  Object.fromEntries(Object.keys(stored).map((field) => [field, placeholderAt(fieldPlace(field))]));

/** Returns the destination of a record as it is shown, without secrets. */
export const shownDestination = ({
  provider,
  settings,
  credential,
  tls,
}: Omit<StoredDestination, 'origins'>): object => {
  const pool = readPool(credential);
  return {
    provider,
    settings: fromJson(settings),
    ...(pool === undefined
      ? { credential: maskedCredential(readCredential(credential)) }
      : { credential: {}, ...shownKeys(pool) }),
    ...shownTls(tls),
  };
};

/** Lists the secrets in the column of a credential, at the places of their placeholders. */
const credentialSecrets = (column: string | null, owner: CredentialOwner): readonly StoredSecret[] => {
  const pool = readPool(column)?.keys.map(({ field }) => field);
  return Object.entries(readCredential(column)).map(([field, sealed]) => ({
    pointer: pool === undefined ? fieldPlace(field) : toPointer(['keys', pool.indexOf(field), 'api_key']),
    sealed,
    at: sealedAt(owner, field),
  }));
};

/** Lists all secrets of a record's destination. */
export const destinationSecrets = (
  { credential, tls }: Pick<StoredDestination, 'credential' | 'tls'>,
  owner: CredentialOwner,
): readonly StoredSecret[] => [...credentialSecrets(credential, owner), ...tlsSecrets(tls, owner)];

/** The provider that a record calls, and where its credential goes. */
type Called = Pick<Destination, 'provider'> & { readonly origins: readonly string[] };

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((origin) => other.includes(origin));

const inWords = (origins: readonly string[]): string => (origins.length === 0 ? 'no host' : origins.join(', '));

/** Lists the problems of a change that would send a stored credential to a host that it was not saved for. */
const divertedProblems = (
  {
    before,
    after,
    retainedAt,
  }: {
    readonly before: Called;
    readonly after: Called;
    /** The places at which the body retains stored secrets; the credential itself, if the body does not contain it. */
    readonly retainedAt: readonly JsonPointer[];
  },
  { catalogue: { providers } }: ValidationContext,
): readonly Problem[] => {
  const staysWith = providers.get(before.provider) === providers.get(after.provider);
  if (staysWith && isSame(before.origins, after.origins)) return [];
  const [from, to] = staysWith
    ? [inWords(before.origins), inWords(after.origins)]
    : [`the provider ${before.provider}`, `the provider ${after.provider}`];
  return retainedAt.map((pointer) => ({
    ...problem([], `The stored credential is for ${from}, and this change leads to ${to}.`, ''),
    hint: 'Send the credential itself together with this change.',
    pointer,
  }));
};

/** Lists the problems of a change that would send a stored credential to servers that are verified differently. */
const mistrustedProblems = (retainedAt: readonly JsonPointer[]): readonly Problem[] =>
  retainedAt.map((pointer) => ({
    ...problem([], 'The stored credential is for servers of other authorities, or of another name.', ''),
    hint: 'Send the credential itself together with this change.',
    pointer,
  }));

/** The columns of a record that specify what it calls. */
interface StoredDestination {
  readonly provider: string;
  readonly settings: string;
  readonly credential: string | null;
  readonly origins: string;
  readonly tls: string | null;
}

const nothingStored: StoredDestination = { provider: '', settings: '{}', credential: null, origins: '[]', tls: null };

/** Validates a record's destination after a body is applied to the stored columns. */
const validateRecord = (body: DestinationBody, validating: ValidationContext, before: StoredDestination) => {
  const stored = readCredential(before.credential);
  const provider = body.provider ?? before.provider;
  const keys = readKeysInBody(body, readPool(before.credential));
  const sent = sentCredential(body, provider, validating);
  const settings = { ...(body.settings ?? fromJson(before.settings)), ...deploymentSettings(body) };
  const credential = keys?.pool === undefined ? (sent.credential ?? maskedCredential(stored)) : keys.credential;
  const destination: Destination = { provider, settings, credential, pool: keys?.pool };
  const { kept, problems: misplaced } = keepSealed(
    { settings, credential },
    Object.fromEntries(Object.entries(stored).map(([field, sealed]) => [fieldPlace(field), sealed])),
  );
  const { origins, problems: wrong } = validateDestination(destination, validating);
  const retainedPlaces = Object.keys(kept) as JsonPointer[];
  const called = {
    before: { provider: before.provider, origins: fromJson(before.origins) },
    after: { provider, origins },
  };
  // The credential itself, if the body omits it and so keeps all of it.
  const retainedAt =
    retainedPlaces.length === 0 || sent.credential !== undefined || body.keys !== undefined
      ? retainedPlaces
      : [toPointer([keys?.pool === undefined ? 'credential' : 'keys'])];
  const isNamed = new Set(keys?.problems.map(({ pointer }) => pointer));
  const toPlace = (pointer: JsonPointer): JsonPointer =>
    deploymentPlace(body, sent.placeInBody(keys?.placeInBody(pointer) ?? pointer));
  /** Returns all problems, including those of TLS settings. */
  const problemsWith = (tls: PreparedTls): readonly InputProblem[] => {
    // If the address is not valid, it is unknown where the credential would go.
    const isUnknown = origins.length === 0 && wrong.length > 0;
    const diverted = isUnknown
      ? []
      : divertedProblems({ ...called, retainedAt: [...retainedAt, ...tls.retainedAt] }, validating);
    const mistrusted = tls.isOtherTrust && diverted.length === 0 ? mistrustedProblems(retainedAt) : [];
    return [
      ...(keys?.problems ?? []),
      ...[...sent.problems, ...misplaced, ...wrong, ...diverted, ...mistrusted]
        .map((each) => ({ ...each, pointer: toPlace(each.pointer) }))
        .filter(({ pointer }) => !isNamed.has(pointer)),
      ...tls.problems,
    ];
  };
  return { destination, origins, kept, problemsWith };
};

const missing = problem([], 'The member "provider" is missing.', 'Write the id of the provider that is called.');

/**
 * Returns the columns that specify what a record calls, with its credential sealed. Validated placeholders keep their secrets.
 * `problems` are those of the rest of the body. Throws the `GatewayError` `invalid-input` with all problems; rejects with a
 * `SecretError` if nothing can be sealed.
 */
export const sealDestination = async (
  parts: Pick<ControlParts, 'catalogue' | 'findHostError' | 'sealer' | 'now'>,
  {
    body,
    owner,
    before,
    problems,
  }: {
    readonly body: DestinationBody;
    readonly owner: CredentialOwner;
    readonly before?: StoredDestination | undefined;
    readonly problems: readonly InputProblem[];
  },
): Promise<StoredDestination> => {
  if (body.provider === undefined && before === undefined) refuse([...problems, missing]);
  const stored = before ?? nothingStored;
  const { destination, origins, kept, problemsWith } = validateRecord(body, parts, stored);
  const { prepareTls } = await import('./seal-tls.ts');
  const tls = await prepareTls(parts.sealer, {
    ...{ sent: body.tls, column: stored.tls, owner, destination: { settings: destination.settings, origins } },
    now: parts.now(),
  });
  refuse([...problems, ...problemsWith(tls)]);
  const sealed = await Promise.all(
    Object.entries(destination.credential).map(
      async ([field, text]): Promise<[string, Sealed]> => [
        field,
        kept[fieldPlace(field)] ?? (await parts.sealer.seal(text, sealedAt(owner, field))),
      ],
    ),
  );
  return {
    provider: destination.provider,
    settings: JSON.stringify(destination.settings),
    credential:
      sealed.length === 0
        ? null
        : JSON.stringify({
            ...Object.fromEntries(sealed),
            ...(destination.pool === undefined ? {} : { pool: destination.pool }),
          }),
    origins: JSON.stringify(origins),
    tls: await tls.seal(),
  };
};
