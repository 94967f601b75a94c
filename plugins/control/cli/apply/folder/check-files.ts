import { toPointer } from '../../../../../schema/json/pointer.ts';
import { schemaCheck } from '../../../../sdk/parameters/schema-check.ts';
import { newNameErrors } from '../../../kernel/records/name-errors.ts';
import type { Kind } from '../kinds/kind.ts';
import { normalise } from '../kinds/kinds.ts';
import type { Problems } from './problems.ts';
import type { FolderFile } from './read-folder.ts';

const words = { member: 'member', whole: 'The file', otherwise: 'See gw apply --help.' };

/** Hints for members that requests have and files express differently. */
const otherwise: Readonly<Record<string, string>> = {
  slug: 'The file name is the slug.',
  scope: 'The folder determines the owner.',
  workspace_id: 'The folder determines the workspace.',
  organisation_id: 'The folder determines the owner.',
  id: 'Ids belong to one store and must not be in files.',
  key: 'Write it as a member of "credential".',
};

const schemaOf = (kind: Kind) => ({ type: 'object', properties: kind.members, required: [...kind.required] }) as const;

const schemas = new Map<Kind, ReturnType<typeof schemaOf>>();

const findSchema = (kind: Kind): ReturnType<typeof schemaOf> => {
  const known = schemas.get(kind) ?? schemaOf(kind);
  schemas.set(kind, known);
  return known;
};

/**
 * Reports what is wrong with a file by itself: its members, and what the API can check without a store. Returns whether its
 * members have the right form.
 */
export const checkFile = (
  { kind, body, file, place, handle }: FolderFile,
  problems: Problems,
  now: number,
): boolean => {
  // A record of an integration does not repeat the provider. A config may have any members.
  const required = kind.required.filter((name) => !(name === 'provider' && body.integration_id !== undefined));
  const schema = { ...findSchema(kind), required };
  const verdict = schemaCheck(required.length === kind.required.length ? findSchema(kind) : schema, body, words);
  if (verdict.kind === 'errors') {
    for (const { path, message, hint, code } of verdict.errors) {
      const [name] = path;
      const known =
        path.length === 1 && typeof name === 'string' && !Object.hasOwn(kind.members, name)
          ? otherwise[name]
          : undefined;
      problems.at(file, toPointer(path), {
        message: known === undefined ? message : `There is no member "${name}" in files.`,
        hint: known ?? hint,
        ...(code !== undefined && { code }),
      });
    }
    return false;
  }
  const full = normalise(kind, withName(kind, handle, body));
  const found = kind.validate?.(full, now) ?? [];
  const named = found.some(({ pointer }) => pointer === '/name') ? [] : newNameErrors(full);
  problems.add(
    file,
    [...named, ...found].map(({ pointer, message, hint }) => ({
      ...({ in: 'body', severity: 'error', code: '', pointer, message, hint } as const),
    })),
  );
  if (kind.folder === 'keys' && place === null && body.kind !== undefined)
    problems.at(file, '/kind', { message: 'Keys of the organisation have no kind.', hint: 'Remove it.' });
  else if (kind.folder === 'keys' && body.kind === 'organisation')
    problems.at(file, '/kind', {
      message: 'This is the folder of a workspace.',
      hint: 'Put the file into organisation/keys.',
    });
  if (kind.byName && (body.name === undefined || body.name === null))
    problems.at(file, '', { message: 'The member "name" is missing.', hint: `A ${kind.noun} is found by its name.` });
  return true;
};

/** Adds the name of the file if a record has no name. */
export const withName = (kind: Kind, handle: string, body: FolderFile['body']): FolderFile['body'] =>
  kind.byName || body.name !== undefined ? body : { ...body, name: handle };

/** Reports names that two files give to records which cannot share one. */
export const noteSharedNames = (files: readonly FolderFile[], problems: Problems): void => {
  const names = new Map<string, FolderFile>();
  const note = (name: string, each: FolderFile, pointer: string): void => {
    const other = names.get(name);
    if (other === undefined) names.set(name, each);
    else
      problems.at(each.file, pointer, {
        message: `${other.file.name} already has this name.`,
        hint: 'Choose another one.',
      });
  };
  for (const each of files) {
    const { kind, place, body, handle } = each;
    if (kind.byName) note(JSON.stringify([kind.folder, place, body.name ?? '']), each, '/name');
    // Providers and virtual keys share their slugs.
    else if (['providers', 'virtual-keys'].includes(kind.folder))
      note(JSON.stringify(['called', place, handle]), each, '');
  }
  const shared = files.filter(({ kind, place }) => kind.owner === 'either' && !kind.byName && place === null);
  for (const own of files)
    for (const other of shared)
      if (own.kind === other.kind && own.place !== null && own.handle === other.handle)
        problems.at(own.file, '', {
          message: `${other.file.name} already has this name, for all workspaces.`,
          hint: 'Rename one of the two files.',
        });
};
