import type { InputProblem } from '../../../../schema/input-problem.ts';
import type { ControlParts } from '../../control-parts.ts';
import { problem } from '../../keys/problem.ts';
import type { Listed, Part, Reading } from '../../saved/records.ts';
import { conflict, notFound, refuse } from '../../saved/refusals.ts';
import { refuseFull } from '../../saved/refuse-full.ts';
import { newId } from '../../store/new-id.ts';
import type { LabelRow } from '../../store/tables.ts';
import type { PromptCaller } from '../prompt-parts.ts';
import { canNameLabel } from '../prompt-reference.ts';
import { changeLabel, countLabels, deleteLabel, findLabel, insertLabel, listLabels } from './label-store.ts';

export interface NewLabelBody {
  readonly name: string;
  readonly description?: string;
  readonly colour?: string;
}

/** What is absent stays, what is null is taken away. */
export interface LabelChangeBody {
  readonly name?: string;
  readonly description?: string | null;
  readonly colour?: string | null;
}

/** What can be done with the labels of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface LabelService {
  create(caller: PromptCaller, body: NewLabelBody): Promise<LabelRow>;
  list(caller: PromptCaller, part: Part): Promise<Listed<LabelRow>>;
  get(caller: PromptCaller, name: string): Promise<LabelRow>;
  update(caller: PromptCaller, name: string, body: LabelChangeBody): Promise<LabelRow>;
  remove(caller: PromptCaller, name: string): Promise<void>;
}

const found = async (db: Reading, tenant: string, name: string): Promise<LabelRow> => {
  const row = /^[\w-]{1,255}$/.test(name) ? await findLabel(db, tenant, name) : undefined;
  if (row === undefined) throw notFound('label', name, 'GET /v1/labels');
  return row;
};

const nameProblems = (name: string): readonly InputProblem[] =>
  canNameLabel(name)
    ? []
    : [
        problem(
          ['name'],
          `"@${name}" names a version by itself, and no label.`,
          'Choose a name with a letter in it, other than "latest" and "published".',
        ),
      ];

/** Throws the `GatewayError` `conflict` if another label has the name, also as its id. */
const refuseTaken = async (db: Reading, { workspace_id, name, id }: LabelRow): Promise<void> => {
  const other = await findLabel(db, workspace_id, name);
  if (other !== undefined && other.id !== id)
    throw conflict(`This workspace has a label "${name}" already.`, 'Choose another name.');
};

export const createLabelService = ({ store, now }: Pick<ControlParts, 'store' | 'now'>): LabelService => ({
  async create({ tenant }, { name, description = null, colour = null }) {
    refuse(nameProblems(name));
    const made = now();
    const row = {
      ...{ id: newId(made), workspace_id: tenant, name, description, colour },
      ...{ created_at: made, updated_at: made },
    };
    await store.write(async (writing) => {
      refuseFull('labels', await countLabels(writing, tenant));
      await refuseTaken(writing, row);
      await insertLabel(writing, row);
    });
    return row;
  },

  list: ({ tenant }, part) => listLabels(store.db, tenant, part),

  get: ({ tenant }, name) => found(store.db, tenant, name),

  async update({ tenant }, name, body) {
    refuse(body.name === undefined ? [] : nameProblems(body.name));
    return store.write(async (writing) => {
      const before = await found(writing, tenant, name);
      const { name: called = before.name, description = before.description, colour = before.colour } = body;
      const row = { ...before, name: called, description, colour, updated_at: now() };
      await refuseTaken(writing, row);
      await changeLabel(store, writing, row);
      return row;
    });
  },

  remove: ({ tenant }, name) =>
    store.write(async (writing) => deleteLabel(store, writing, await found(writing, tenant, name))),
});
