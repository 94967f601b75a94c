import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { problem } from '../requests/problem.ts';
import { forbidden } from '../requests/refusals.ts';
import { text, textOrNull } from '../requests/replies.ts';
import type { RequestScope } from '../requests/request-scope.ts';

/** The owner of the records of a resource: a workspace, an organisation, or either, as set on each record. */
export type Ownership = 'workspace' | 'organisation' | 'either';

/** The columns that identify the owner of a record. */
export interface OwnerColumns {
  workspace: { workspace_id: string };
  organisation: { organisation_id: string };
  either: { organisation_id: string; workspace_id: string | null };
}

/** Where a caller looks for records: the ids of a workspace and its organisation. */
export interface Visibility {
  readonly tenant: string;
  readonly organisation?: string;
  readonly reach?: Principal['reach'] | undefined;
}

/** The caller, and its workspace. */
export type ResourceCaller = RequestScope & Visibility;

/** Throws the `GatewayError` `forbidden` for a caller that cannot access the whole organisation; `what` is what it cannot do. */
export const onlyOrganisation = ({ reach }: Pick<Visibility, 'reach'>, what: string): void => {
  if (reach === 'organisation') return;
  throw forbidden([problem([], `A caller of one workspace cannot ${what}.`, 'Use a key of the organisation.')]);
};

/** The owner columns of any row. */
export interface Owned {
  readonly workspace_id?: string | null;
  readonly organisation_id?: string;
}

/** The columns of any table, for queries. */
export type AnyColumns = { readonly [column: string]: string | number | null | undefined };
export type Where = ExpressionBuilder<{ [table: string]: AnyColumns }, string>;

interface OwnershipRules {
  /** Returns the owner columns of a new record that the caller creates. */
  columns(caller: RequestScope, scope: 'workspace' | 'organisation'): Owned;
  /** Selects the records that the caller can name. */
  isVisible(where: Where, caller: Visibility): Expression<SqlBool>;
  /** Selects the records that have the same owner as this one. */
  ofOwner(where: Where, row: Owned): Expression<SqlBool>;
  /** Selects the records that must have a different name from this one. */
  sharesNames(where: Where, row: Owned): Expression<SqlBool>;
  /** Returns the members that show the owner. */
  shown(row: Owned): JsonObject;
  readonly shownSchema: { readonly [name: string]: ParameterSchema };
}

const inOrganisation = (where: Where, organisation: string | undefined) =>
  where('organisation_id', '=', organisation ?? '');

export const ownershipRules: Readonly<Record<Ownership, OwnershipRules>> = {
  workspace: {
    columns: ({ tenant }) => ({ workspace_id: tenant }),
    isVisible: (where, { tenant }) => where('workspace_id', '=', tenant),
    ofOwner: (where, { workspace_id }) => where('workspace_id', '=', workspace_id),
    sharesNames: (where, { workspace_id }) => where('workspace_id', '=', workspace_id),
    shown: ({ workspace_id = null }) => ({ workspace_id }),
    shownSchema: { workspace_id: text },
  },
  organisation: {
    columns: ({ organisation }) => ({ organisation_id: organisation }),
    isVisible: (where, { organisation }) => inOrganisation(where, organisation),
    ofOwner: (where, { organisation_id }) => inOrganisation(where, organisation_id),
    sharesNames: (where, { organisation_id }) => inOrganisation(where, organisation_id),
    shown: ({ organisation_id = null }) => ({ organisation_id }),
    shownSchema: { organisation_id: text },
  },
  either: {
    columns: ({ tenant, organisation }, scope) => ({
      organisation_id: organisation,
      workspace_id: scope === 'organisation' ? null : tenant,
    }),
    isVisible: (where, { tenant, organisation }) =>
      where.and([
        inOrganisation(where, organisation),
        where.or([where('workspace_id', '=', tenant), where('workspace_id', 'is', null)]),
      ]),
    ofOwner: (where, { organisation_id, workspace_id }) =>
      where.and([
        inOrganisation(where, organisation_id),
        where('workspace_id', workspace_id === null ? 'is' : '=', workspace_id),
      ]),
    // A workspace and its organisation share a namespace, so that a name is a single record for every caller that can use it.
    sharesNames: (where, { organisation_id, workspace_id }) =>
      where.and([
        inOrganisation(where, organisation_id),
        ...(workspace_id === null
          ? []
          : [where.or([where('workspace_id', '=', workspace_id), where('workspace_id', 'is', null)])]),
      ]),
    shown: ({ organisation_id = null, workspace_id = null }) => ({
      scope: workspace_id === null ? 'organisation' : 'workspace',
      organisation_id,
      workspace_id,
    }),
    shownSchema: {
      scope: { type: 'string', enum: ['workspace', 'organisation'] },
      organisation_id: text,
      workspace_id: textOrNull,
    },
  },
};

/** Returns the owner of a record, as feeds identify it: the id of a workspace or of an organisation. */
export const toOwner = ({ workspace_id, organisation_id }: Owned): string => workspace_id ?? organisation_id ?? '';
