import type { ControlParts } from '../control-parts.ts';
import { newSlug } from '../saved/new-slug.ts';
import type { Listed, Part } from '../saved/records.ts';
import { conflict } from '../saved/refusals.ts';
import { refuseFull } from '../saved/refuse-full.ts';
import { unlessTaken } from '../saved/unless-taken.ts';
import { usesWords } from '../saved/uses-words.ts';
import { newId } from '../store/new-id.ts';
import type { GuardrailRow } from '../store/tables.ts';
import { guardrailChanger } from './changed-guardrail.ts';
import { changeableGuardrail, foundGuardrail, refuseForeign } from './found-guardrail.ts';
import type { GuardrailCaller, GuardrailChange, NewGuardrail } from './guardrail-parts.ts';
import { sealChecks } from './guardrail-secrets.ts';
import { countGuardrails, deleteGuardrail, insertGuardrail, isSlugTaken, listGuardrails } from './guardrail-store.ts';
import { judgeGuardrail } from './judge-guardrail.ts';
import { usesOfGuardrail } from './uses-of-guardrail.ts';

/** What can be done with guardrails. All methods reject with a `GatewayError`, or as the store does. */
export interface GuardrailService {
  create(caller: GuardrailCaller, body: NewGuardrail): Promise<GuardrailRow>;
  /** Those of the workspace and of its organisation. */
  list(caller: GuardrailCaller, part: Part): Promise<Listed<GuardrailRow>>;
  get(caller: GuardrailCaller, name: string): Promise<GuardrailRow>;
  /** Other checks must be able to run wherever the guardrail is named: otherwise it is `invalid-input`. */
  update(caller: GuardrailCaller, name: string, body: GuardrailChange): Promise<GuardrailRow>;
  remove(caller: GuardrailCaller, name: string): Promise<void>;
}

export const createGuardrailService = (parts: ControlParts): GuardrailService => {
  const { store, sealer, now, overlay } = parts;

  return {
    async create(caller, { name, checks, actions, scope, slug = newSlug(name, 'pg') }) {
      const isOrganisations = scope === 'organisation';
      refuseForeign(caller, isOrganisations);
      if (Object.hasOwn(overlay.saved.guardrails, slug))
        throw conflict(`The gateway file has a guardrail "${slug}".`, 'Choose another slug.');
      const judged = await judgeGuardrail(parts, { tenant: caller.tenant, slug, checks });
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
      await unlessTaken(taken, () =>
        store.write(async (writing) => {
          if (await isSlugTaken(writing, row)) throw taken();
          refuseFull(
            'guardrails',
            await countGuardrails(writing, row),
            row.workspace_id === null ? 'organisation' : 'workspace',
          );
          await insertGuardrail(store, writing, row);
        }),
      );
      return row;
    },

    list: (caller, part) => listGuardrails(store.db, caller, part),

    get: (caller, name) => foundGuardrail(store.db, caller, name),

    update: guardrailChanger(parts),

    remove: (caller, name) =>
      store.write(async (writing) => {
        const row = await changeableGuardrail(writing, caller, name);
        const uses = await usesOfGuardrail(writing, row);
        if (uses.length > 0)
          throw conflict(`The guardrail "${row.slug}" is named by ${usesWords(uses)}.`, 'Take it out there first.');
        await deleteGuardrail(store, writing, row);
      }),
  };
};
