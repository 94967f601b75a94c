import { gatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { toPointer } from '../../../schema/pointer.ts';
import type { ControlParts } from '../control-parts.ts';
import type { Acting } from '../saved/acting.ts';
import { applyChange } from '../saved/apply-change.ts';
import { forbidden } from '../saved/forbidden.ts';
import { newSlug } from '../saved/new-slug.ts';
import { usesWords } from '../saved/uses-words.ts';
import { isConflict } from '../store/is-conflict.ts';
import { newId } from '../store/new-id.ts';
import type { Writing } from '../store/store.ts';
import type { GuardrailRow } from '../store/tables.ts';
import { sealChecks, storedChecks } from './guardrail-secrets.ts';
import {
  countGuardrails,
  deleteGuardrail,
  findGuardrail,
  insertGuardrail,
  isSlugTaken,
  listGuardrails,
  replaceGuardrail,
} from './guardrail-store.ts';
import { type GuardrailCheck, judgeGuardrail } from './judge-guardrail.ts';
import { usesOfGuardrail } from './uses-of-guardrail.ts';

const mostGuardrails = 10_000;

export interface GuardrailCaller extends Acting {
  readonly reach?: 'workspace' | 'organisation' | undefined;
}

export interface NewGuardrail {
  readonly name: string;
  readonly checks: readonly GuardrailCheck[];
  readonly actions: JsonObject;
  readonly slug?: string | undefined;
  /** Whose it is: one of the organisation can be named in all of its workspaces. */
  readonly scope: 'workspace' | 'organisation';
}

export type GuardrailChange = Partial<Pick<NewGuardrail, 'name' | 'checks' | 'actions'>>;

/** What can be done with guardrails. All methods reject with a `GatewayError`, or as the store does. */
export interface GuardrailService {
  create(caller: GuardrailCaller, body: NewGuardrail): Promise<GuardrailRow>;
  /** Those of the workspace and of its organisation. */
  list(
    caller: GuardrailCaller,
    part: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly rows: readonly GuardrailRow[] }>;
  get(caller: GuardrailCaller, name: string): Promise<GuardrailRow>;
  update(caller: GuardrailCaller, name: string, body: GuardrailChange): Promise<GuardrailRow>;
  remove(caller: GuardrailCaller, name: string): Promise<void>;
}

const conflict = (fact: string, suggestion: string) => gatewayError('conflict', { fact, suggestion });

const refuseForeign = ({ reach }: GuardrailCaller, isOrganisations: boolean): void => {
  if (!isOrganisations || reach === 'organisation') return;
  throw forbidden([
    {
      pointer: toPointer(['scope']),
      message: 'This key belongs to one workspace, and guardrails of an organisation hold in all of them.',
      hint: 'Use a key of the organisation.',
    },
  ]);
};

export const createGuardrailService = (parts: ControlParts): GuardrailService => {
  const { store, sealer, now, overlay } = parts;

  const found = async (db: Pick<Writing, 'selectFrom'>, caller: Acting, name: string): Promise<GuardrailRow> => {
    const row = await findGuardrail(db, caller, name);
    if (row !== undefined) return row;
    throw gatewayError('not-found', { what: 'guardrail', name, suggestion: 'GET /v1/guardrails lists them.' });
  };

  return {
    async create(caller, { name, checks, actions, scope, slug = newSlug(name, 'pg') }) {
      const isOrganisations = scope === 'organisation';
      refuseForeign(caller, isOrganisations);
      if (Object.hasOwn(overlay.saved.guardrails, slug))
        throw conflict(`The gateway file has a guardrail "${slug}".`, 'Choose another slug.');
      const judged = await judgeGuardrail(parts, { slug, checks });
      const made = now();
      const owner = {
        id: newId(made),
        organisation_id: caller.organisation,
        workspace_id: isOrganisations ? null : caller.tenant,
      };
      const sealed = await sealChecks(sealer, { checks: judged.checks, pointers: judged.secretPlaces, row: owner });
      const times = { created_at: made, updated_at: made };
      const row: GuardrailRow = { ...owner, slug, name, actions: JSON.stringify(actions), ...sealed, ...times };
      const taken = () =>
        conflict(
          `There is a guardrail "${slug}" already, in this workspace or its organisation.`,
          'Choose another slug.',
        );
      const write = store.write(async (writing) => {
        if (await isSlugTaken(writing, row)) throw taken();
        if ((await countGuardrails(writing, row)) >= mostGuardrails)
          throw conflict(`There are ${mostGuardrails} guardrails here.`, 'Delete those that nobody needs.');
        await insertGuardrail(store, writing, row);
      });
      await write.catch((error: unknown) => {
        throw isConflict(error) ? taken() : error;
      });
      return row;
    },

    list: (caller, part) => listGuardrails(store.db, caller, part),

    get: (caller, name) => found(store.db, caller, name),

    update: (caller, name, { name: newName, checks, actions }) =>
      applyChange<GuardrailRow>(store, {
        async find(db) {
          const row = await found(db, caller, name);
          refuseForeign(caller, row.workspace_id === null);
          return row;
        },
        async make(row) {
          const judged = checks && (await judgeGuardrail(parts, { slug: row.slug, checks, before: storedChecks(row) }));
          const sealed =
            judged && (await sealChecks(sealer, { checks: judged.checks, pointers: judged.secretPlaces, row }));
          return {
            ...row,
            ...sealed,
            ...(newName === undefined ? {} : { name: newName }),
            ...(actions === undefined ? {} : { actions: JSON.stringify(actions) }),
            updated_at: now(),
          };
        },
        replace: (writing, row) => replaceGuardrail(store, writing, row),
      }),

    remove: (caller, name) =>
      store.write(async (writing) => {
        const row = await found(writing, caller, name);
        refuseForeign(caller, row.workspace_id === null);
        const uses = await usesOfGuardrail(writing, row);
        if (uses.length > 0)
          throw conflict(`The guardrail "${row.slug}" is named by ${usesWords(uses)}.`, 'Take it out there first.');
        await deleteGuardrail(store, writing, row);
      }),
  };
};
