import { errorTable } from '../../../../schema/errors/errors.ts';
import { suggestName } from '../../../../schema/text/closest-name.ts';
import type { KnownNames, MemberFlags } from '../../kernel/resource/api-command.ts';
import type { ControlPlane } from '../client/control-plane.ts';
import { toFlagPath } from './flag-values.ts';
import { nearestRecord } from './nearest-record.ts';
import { printable } from './texts.ts';

const errorNote = (code: string): string | undefined =>
  Object.hasOwn(errorTable, code)
    ? undefined
    : `The gateway has no error "${printable(code)}". ${suggestName(code, Object.keys(errorTable), 'gw logs list --success no shows those that there were, in the column PROBLEM.')}`;

const statusNote = (status: string): string | undefined =>
  /^[1-5]\d\d$/.test(status) ? undefined : `There is no status ${printable(status)}. Write one from 100 to 599.`;

const savedNote = async (plane: ControlPlane, path: string, name: string): Promise<string | undefined> => {
  const nearest = await nearestRecord(plane, `GET ${path}/{name}`, { name });
  return nearest && `Did you mean "${nearest}"?`;
};

const noteOf = (
  plane: ControlPlane,
  known: KnownNames,
  name: string,
): Promise<string | undefined> | string | undefined => {
  if (known === 'errors') return errorNote(name);
  return known === 'statuses' ? statusNote(name) : savedNote(plane, known.saved, name);
};

/** Says of a request that found nothing which of the names in its query were most likely misspelt. */
export const notesOfUnknown = async (
  plane: ControlPlane,
  flags: MemberFlags,
  query: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const notes = Object.entries(flags).map(async ([flag, spec]) => {
    const name = query[toFlagPath(flag, spec).join('/')];
    if (spec.known === undefined || name === undefined) return [];
    const note = await noteOf(plane, spec.known, name);
    return note === undefined ? [] : [`--${flag}: ${note}`];
  });
  return (await Promise.all(notes)).flat();
};
