import type { Columns, MemberFlags, Resource } from '../engine/api-command.ts';
import {
  destinationFlags,
  expiresFlag,
  furtherMembers,
  newExpiryFlag,
  noteFlag,
  pagingFlags,
  slugFlag,
} from './flags.ts';

/** What is saved of a provider under a name: all that it has in common with others that are. */
export interface SavedDestination {
  /** `/providers`. */
  readonly path: `/${string}`;
  /** `provider`. */
  readonly what: string;
  /** How it is named, as the end of a sentence. */
  readonly named: string;
  /** Columns beside those that each has. */
  readonly columns?: Columns;
  /** Flags that only a new one has. */
  readonly created?: MemberFlags;
}

/** The commands for what is called under a name with a credential of its own. */
export const destinationCommands = ({
  path,
  what,
  named,
  columns = {},
  created = {},
}: SavedDestination): Resource['commands'] => {
  const file = { name: 'FILE', optional: true } as const;
  const notes = furtherMembers('"settings" and "credential"');
  return {
    list: {
      summary: `Lists the saved ${what}s, without their credentials.`,
      route: `GET ${path}`,
      flags: pagingFlags,
      shows: {
        as: 'table',
        columns: {
          ...{ SLUG: 'slug', NAME: 'name', PROVIDER: 'provider', STATUS: 'status', EXPIRES: 'expires_at' },
          ...columns,
        },
      },
    },
    get: {
      summary: `Shows a saved ${what}, with placeholders for its credential.`,
      route: `GET ${path}/{slug}`,
      shows: { as: 'record' },
    },
    create: {
      summary: `Saves a ${what}.`,
      route: `POST ${path}`,
      file,
      flags: { ...destinationFlags, slug: slugFlag, ...created, note: noteFlag, expires: expiresFlag },
      shows: { as: 'said', text: `The ${what} is saved: ${named}.` },
      notes,
    },
    update: {
      summary: `Changes a saved ${what}; what is not given stays.`,
      route: `PUT ${path}/{slug}`,
      file,
      flags: { ...destinationFlags, note: noteFlag, expires: newExpiryFlag },
      shows: { as: 'said', text: `The ${what} {slug} is changed.` },
      notes,
    },
    delete: {
      summary: `Deletes a saved ${what} that nothing names.`,
      route: `DELETE ${path}/{slug}`,
      shows: { as: 'said', text: `The ${what} {slug} is deleted.` },
    },
  };
};
