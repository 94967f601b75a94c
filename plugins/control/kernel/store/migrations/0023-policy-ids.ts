import { sql } from 'kysely';
import { isJsonObject, type Json } from '../../../../../schema/json/json.ts';
import { parseJson } from '../../../../../schema/json/parse-json.ts';
import type { Migration } from './migrate.ts';

interface PolicyRow {
  readonly id: string;
  readonly conditions: string;
  readonly workspace_id: string;
  readonly slug: string;
}

const rowsAtOnce = 1000;
const idKeys: readonly (Json | undefined)[] = ['api_key', 'config', 'workspace_id', 'organisation_id'];
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the conditions of a policy with the ids that requests have. Conditions that cannot be read stay as they are. */
const withIds = ({ conditions, workspace_id, slug }: PolicyRow): string => {
  const read = parseJson(conditions);
  if (!Array.isArray(read)) return conditions;
  const toId = (key: Json | undefined, value: Json): Json => {
    if (Array.isArray(value)) return value.map((each: Json) => toId(key, each));
    if (typeof value !== 'string') return value;
    if (key === 'workspace_id' && value.toLowerCase() === slug) return workspace_id;
    return uuid.test(value) ? value.toLowerCase() : value;
  };
  return JSON.stringify(
    read.map((condition: Json) =>
      isJsonObject(condition) && idKeys.includes(condition.key)
        ? Object.fromEntries(
            Object.entries(condition).map(([name, value]) => [
              name,
              name === 'key' ? value : toId(condition.key, value),
            ]),
          )
        : condition,
    ),
  );
};

/**
 * Replaces the slug of a policy's own workspace and ids in upper case, which earlier versions saved in conditions. They matched no
 * request, so that the policy limited nothing.
 */
export const policyIds: Migration = {
  number: 23,
  name: 'policy-ids',
  async up(db) {
    for (let last = ''; ; ) {
      const { rows } =
        await sql<PolicyRow>`select policies.id, policies.conditions, policies.workspace_id, workspaces.slug
        from policies join workspaces on workspaces.id = policies.workspace_id
        where policies.id > ${last} order by policies.id limit ${rowsAtOnce}`.execute(db);
      for (const row of rows) {
        const conditions = withIds(row);
        if (conditions !== row.conditions)
          await sql`update policies set conditions = ${conditions} where id = ${row.id}`.execute(db);
      }
      if (rows.length < rowsAtOnce) return;
      last = rows.at(-1)?.id ?? last;
    }
  },
};
