import type { Json } from '../../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../../../../schema/json/pointer.ts';
import type { ClaimNames } from './jwt-settings.ts';
import type { SettingsReader } from './settings-reader.ts';

const claimHint = 'Give the name of a claim, such as "sub" or "realm_access.roles".';
const maxMetadata = 32;

/** What the gateway itself says of a request. */
const reserved: ReadonlyMap<string, string> = new Map([
  ['_user', 'Name the claim in "claims.user".'],
  ['_prompt', 'Remove it: the gateway sets it.'],
  ['_organisation', 'Remove it: the gateway sets it.'],
]);

const readMetadata = (
  reader: SettingsReader,
  value: Json | undefined,
  at: JsonPointer,
): ReadonlyMap<string, string> => {
  const entries = Object.entries(reader.object(value, at, 'Write { "<metadata key>": "<claim>" }.'));
  if (entries.length > maxMetadata)
    reader.report(at, `There are more than ${maxMetadata} keys.`, 'Leave out those that nothing uses.');
  return new Map(
    entries.map(([key, claim]) => {
      const here = childPointer(at, key);
      const why = reserved.get(key);
      if (why !== undefined) reader.report(here, `"${key}" cannot be taken from a claim here.`, why);
      if (key === '' || key.length > 128)
        reader.report(here, 'A key of metadata has 1 to 128 characters.', 'Use another key.');
      return [key, reader.text(claim, here, { hint: claimHint })];
    }),
  );
};

/** The names of the claims that say who sends a request, and where to. */
export const readClaimNames = (reader: SettingsReader, value: Json | undefined, at: JsonPointer): ClaimNames => {
  const claims = reader.object(value, at, 'Write { "user": "sub" }, or leave it out.');
  reader.only(claims, at, ['workspace', 'user', 'scopes', 'metadata']);
  const findName = (member: 'workspace' | 'user' | 'scopes'): string | undefined =>
    claims[member] === undefined
      ? undefined
      : reader.text(claims[member], childPointer(at, member), { hint: claimHint });
  const workspace = findName('workspace');
  const scopes = findName('scopes');
  return {
    user: findName('user') ?? 'sub',
    metadata: readMetadata(reader, claims.metadata, childPointer(at, 'metadata')),
    workspace,
    scopes,
  };
};
