import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import { listSchema, objectSchema, seconds, text, textOrNull, titled } from '../../../kernel/requests/replies.ts';
import { toSeconds } from '../../../kernel/requests/to-seconds.ts';
import type { PartialRow } from '../../../kernel/store/tables/tables.ts';
import type { PartialVersionHead } from '../store/partial-store.ts';
import type { VersionedPartial } from './partial-parts.ts';

const number = { type: 'integer', description: 'Its number; the first is 1.' } as const;

const head = {
  object: { const: 'partial' },
  ...{ id: text, slug: text, name: text, workspace_id: text },
  published_version: { type: 'integer', description: 'The number of the published version.' },
  ...{ created_at: seconds, last_updated_at: seconds },
} as const satisfies { readonly [name: string]: ParameterSchema };

/** What the routes of partials answer. */
export const partialReplies: Readonly<Record<'partial' | 'partials' | 'versions' | 'changed', ParameterSchema>> = {
  partial: titled(
    'Partial',
    objectSchema({
      ...head,
      ...{ version: number, version_id: text, version_description: textOrNull, string: text },
    }),
  ),
  partials: listSchema(titled('PartialSummary', objectSchema(head))),
  versions: listSchema(
    titled(
      'PartialVersion',
      objectSchema({
        object: { const: 'partial-version' },
        ...{ id: text, partial_id: text, version: number, version_description: textOrNull },
        is_published: { type: 'boolean' },
        ...{ created_by: textOrNull, created_at: seconds },
      }),
    ),
  ),
  changed: titled(
    'SavedPartial',
    objectSchema({ id: text, slug: text, version_id: text, object: { const: 'partial' } }),
  ),
};

export const changedPartial = ({ row: { id, slug }, version }: VersionedPartial): JsonObject => ({
  ...{ id, slug, version_id: version.id, object: 'partial' },
});

export const partialHead = (row: PartialRow): JsonObject => ({
  object: 'partial',
  id: row.id,
  slug: row.slug,
  name: row.name,
  workspace_id: row.workspace_id,
  published_version: row.published,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

export const partialView = ({ row, version }: VersionedPartial): JsonObject => ({
  ...partialHead(row),
  version: version.number,
  version_id: version.id,
  version_description: version.description,
  string: version.text,
});

export const partialVersionView = (row: PartialVersionHead, published: number): JsonObject => ({
  object: 'partial-version',
  id: row.id,
  partial_id: row.partial_id,
  version: row.number,
  version_description: row.description,
  is_published: row.number === published,
  created_by: row.created_by,
  created_at: toSeconds(row.created_at),
});
