import type { Json } from '../../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../../../../schema/json/pointer.ts';
import { closestName } from '../../../../../../schema/text/closest-name.ts';
import type { SettingsReader } from './settings-reader.ts';

const maxMapped = 1000;
const example = 'Write a list of scopes, such as ["completions.write"].';

/** A list of the gateway's own scopes, whose verb may follow a colon: `logs:view`. */
export const readScopes = (
  reader: SettingsReader,
  { value, at, known }: { value: Json | undefined; at: JsonPointer; known: ReadonlySet<string> },
): readonly string[] => {
  if (value === undefined) return [];
  return reader.list(value, at, example).map(([written, here]) => {
    const scope = written.replace(':', '.');
    if (!known.has(scope)) {
      const meant = closestName(scope, known);
      const hint = meant === undefined ? 'Scopes are written "completions.write".' : `Did you mean "${meant}"?`;
      reader.report(here, 'There is no such scope.', hint);
    }
    return scope;
  });
};

/** The gateway's scopes by those of the identity provider. */
export const readScopeMap = (
  reader: SettingsReader,
  { value, at, known }: { value: Json | undefined; at: JsonPointer; known: ReadonlySet<string> },
): ReadonlyMap<string, readonly string[]> => {
  const entries = Object.entries(reader.object(value, at, 'Write { "<their scope>": ["completions.write"] }.'));
  if (entries.length > maxMapped)
    reader.report(at, `It has more than ${maxMapped} entries.`, 'Map only what tokens for this gateway have.');
  return new Map(
    entries.map(([theirs, ours]) => [theirs, readScopes(reader, { value: ours, at: childPointer(at, theirs), known })]),
  );
};
