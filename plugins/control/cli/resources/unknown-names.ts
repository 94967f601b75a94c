import { errorTable } from '../../../../schema/errors/errors.ts';
import { findText, toTexts } from '../../../../schema/json/loose.ts';
import { closestName, suggestName } from '../../../../schema/text/closest-name.ts';
import type { KnownNames, MemberFlags } from '../../kernel/resource/api-command.ts';
import type { ControlPlane } from '../client/control-plane.ts';
import type { ControlServices } from '../command-line/services.ts';
import { asCommands } from './commands-in-hints.ts';
import { toFlagPath } from './flag-values.ts';
import { isNamed, nearestOf, readRecords, tryRecords } from './nearest-record.ts';
import { printable } from './texts.ts';

/** The control plane that knows the names, and the flags of the command. */
interface Known {
  readonly plane: ControlPlane;
  readonly services: Pick<ControlServices, 'providerFacts'>;
  readonly flags: MemberFlags;
}

const errorNote = (code: string): string | undefined =>
  Object.hasOwn(errorTable, code)
    ? undefined
    : `The gateway has no error "${printable(code)}". ${suggestName(code, Object.keys(errorTable), 'gw logs list --success no shows the errors that occurred, in the column PROBLEM.')}`;

const statusNote = (status: string): string | undefined =>
  /^[1-5]\d\d$/.test(status) ? undefined : `There is no status ${printable(status)}. Write one from 100 to 599.`;

const meant = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `Did you mean "${printable(name)}"?`;

const savedNote = async (plane: ControlPlane, path: string, name: string): Promise<string | undefined> => {
  const records = await tryRecords(plane, path);
  if (records === undefined || isNamed(records, name)) return undefined;
  const nearest = nearestOf(records, name);
  return nearest === undefined
    ? `Nothing is saved as "${printable(name)}". ${asCommands(`GET /v1${path} lists the existing ones.`)}`
    : `Did you mean "${nearest}"?`;
};

/** Returns a note for a provider that was not named by its id: the id, or the flag `--slug` if a saved provider has the name. */
const providerNote = async ({ plane, services, flags }: Known, name: string): Promise<string | undefined> => {
  const ids = new Map<string, string>();
  // The results are already shown, and errors in a gateway file are not what the user asked about.
  for (const { id, aliases } of await services.providerFacts(undefined).catch(() => []))
    for (const each of [findText(id) ?? '', ...toTexts(aliases)]) ids.set(each, findText(id) ?? '');
  if (ids.get(name) === name) return undefined;
  const saved = flags.slug === undefined ? [] : await readRecords(plane, '/providers');
  if (saved.some(({ slug }) => slug === name))
    return `This is the name of a saved provider: use --slug ${printable(name)}.`;
  return meant(ids.get(name) ?? ids.get(closestName(name, ids.keys()) ?? ''));
};

/** Returns a note for a key that was not named by its id, such as by its name. */
const keyNote = async ({ plane }: Known, written: string): Promise<string | undefined> => {
  const records = await readRecords(plane, '/api-keys');
  const keys = records.map(({ id, name }) => ({ id: findText(id), name: findText(name) }));
  if (keys.some(({ id }) => id === written)) return undefined;
  const nearest = closestName(
    written,
    keys.flatMap(({ id, name }) => [name ?? [], id ?? []].flat()),
  );
  const named = keys.find(({ name }) => name !== undefined && name === nearest);
  return named?.id === undefined
    ? meant(nearest)
    : `The id of the key "${printable(named.name ?? '')}" is ${printable(named.id)}.`;
};

/** Returns a note with a similar name among the models that were called in the last 30 days. */
const modelNote = async ({ plane }: Known, name: string): Promise<string | undefined> => {
  const used = await readRecords(plane, '/usage', { group_by: 'model' });
  const names = used.flatMap(({ model }) => findText(model) ?? []);
  return names.includes(name) ? undefined : meant(closestName(name, names));
};

const noteOf = (from: Known, known: KnownNames, name: string): Promise<string | undefined> | string | undefined => {
  switch (known) {
    case 'errors':
      return errorNote(name);
    case 'statuses':
      return statusNote(name);
    case 'providers':
      return providerNote(from, name);
    case 'keys':
      return keyNote(from, name);
    case 'models':
      return modelNote(from, name);
    default:
      return savedNote(from.plane, known.saved, name);
  }
};

/** For a request that found nothing, returns notes on which names in its query were most likely misspelt. */
export const notesOfUnknown = async (
  from: Known,
  query: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const notes = Object.entries(from.flags).map(async ([flag, spec]) => {
    const name = query[toFlagPath(flag, spec).join('/')];
    if (spec.known === undefined || name === undefined) return [];
    const note = await noteOf(from, spec.known, name);
    return note === undefined ? [] : [`--${flag}: ${note}`];
  });
  return (await Promise.all(notes)).flat();
};
