import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { newSlug } from '../records/new-slug.ts';
import { applyChange, type PageResult, type Reading, type ResourcePage, refuseOver } from '../records/records.ts';
import { conflict, forbidden, notFound } from '../requests/refusals.ts';
import { findNulCharacters } from '../requests/reject-nul-characters.ts';
import { newId } from '../store/new-id.ts';
import { mapConflict } from '../store/rows/is-conflict.ts';
import type { Writing } from '../store/store.ts';
import type { RecordRow, Resource, ResourceParts, Writes } from './define-resource.ts';
import { ownershipRules, type ResourceCaller } from './ownership.ts';
import { type Precondition, refuseChanged } from './precondition.ts';
import {
  countOwned,
  findRecord,
  isNameTaken,
  listRecords,
  type ResourceRow,
  recordWriter,
} from './resource-queries.ts';
import { toRecord } from './resource-schemas.ts';

/** A record that a request names, by its id or its name. */
export interface NamedRecord {
  readonly caller: ResourceCaller;
  readonly name: string;
  readonly precondition?: Precondition;
}

/** The owner of a new record. */
export type RecordScope = 'workspace' | 'organisation';

/** The operations on the records of a resource. All methods reject with a `GatewayError`, or as the store does. */
export interface ResourceService {
  create(caller: ResourceCaller, body: JsonObject, scope?: RecordScope): Promise<ResourceRow>;
  list(caller: ResourceCaller, page: ResourcePage): Promise<PageResult<ResourceRow>>;
  get(named: NamedRecord): Promise<ResourceRow>;
  update(named: NamedRecord, body: JsonObject): Promise<ResourceRow>;
  remove(named: NamedRecord): Promise<void>;
  /** Records as the caller is shown them: whole, or without what lists leave out. */
  show(caller: ResourceCaller, rows: readonly ResourceRow[], isWhole?: boolean): Promise<readonly JsonObject[]>;
}

/** A row as rules complete it. */
interface Checked {
  readonly row: ResourceRow;
  /** Run in the transaction that writes the row. */
  check(db: Writing, row: ResourceRow): Promise<void>;
}

export const createResourceService = (resource: Resource, parts: ResourceParts): ResourceService => {
  const { store, now, overlay } = parts;
  const { noun, plural, path, owner, naming, members, max, rules, discriminator, view } = resource;

  /** Throws the `GatewayError` `forbidden` for what is the organisation's and a caller that does not reach all of it. */
  const refuseForeign = ({ reach }: ResourceCaller, isOrganisations: boolean): void => {
    if (!isOrganisations || reach === 'organisation') return;
    throw forbidden([
      {
        pointer: toPointer(['scope']),
        message: `This key belongs to one workspace, and ${plural} of an organisation hold in all of them.`,
        hint: 'Use a key of the organisation.',
      },
    ]);
  };

  const found = async (db: Reading, { caller, name }: NamedRecord): Promise<ResourceRow> => {
    const row = await findRecord(db, resource, { caller, name });
    if (row === undefined) throw notFound(noun, name, `GET /v1${path}`);
    return row;
  };

  /** The same, where the caller may change it, and it is as the caller read it. */
  const changeable = async (db: Reading, named: NamedRecord): Promise<ResourceRow> => {
    const row = await found(db, named);
    refuseForeign(named.caller, row.workspace_id === null);
    refuseChanged(row, { precondition: named.precondition, what: noun, name: named.name });
    return row;
  };

  const taken = (row: ResourceRow): GatewayError =>
    rules.taken?.(String(row[naming ?? 'id']), 'record') ??
    conflict(
      owner === 'either'
        ? `There is a ${noun} "${row[naming ?? 'id']}" already, in this workspace or its organisation.`
        : `This workspace has a ${noun} "${row[naming ?? 'id']}" already.`,
      `Choose another ${naming}.`,
    );

  const refuseTaken = async (db: Reading, row: ResourceRow): Promise<void> => {
    if (await isNameTaken(db, resource, row)) throw taken(row);
  };

  const refuseOverlaid = (row: ResourceRow): void => {
    const name = String(row[naming ?? 'id']);
    if (resource.overlay !== undefined && Object.hasOwn(overlay.saved[resource.overlay], name))
      throw (
        rules.taken?.(name, 'file') ??
        conflict(`The gateway file has a ${noun} "${name}".`, `Choose another ${naming}.`)
      );
  };

  const refuseMore = async (db: Reading, row: ResourceRow): Promise<void> => {
    const owned = typeof row.workspace_id === 'string' ? 'workspace' : 'organisation';
    refuseOver(plural, await countOwned(db, resource, row), { max, owner: owned });
  };

  const newRow = (caller: ResourceCaller, body: JsonObject, scope: RecordScope): ResourceRow => {
    const createdAt = now();
    const owned = ownershipRules[owner].columns(caller, scope);
    const row = { id: newId(createdAt), ...owned, ...discriminator } as ResourceRow;
    for (const [name, { presence, initial, prefix, toColumn }] of Object.entries(members)) {
      const value = body[name] ?? (presence === 'fixed' ? newSlug(String(body.name ?? noun), prefix) : initial);
      row[name] = value === undefined ? null : toColumn(value);
    }
    return Object.assign(row, { created_at: createdAt, updated_at: createdAt });
  };

  const changedRow = (before: ResourceRow, body: JsonObject): ResourceRow => {
    const row = { ...before };
    for (const [name, { toColumn }] of Object.entries(members)) {
      const value = body[name];
      if (value !== undefined) row[name] = value === null ? null : toColumn(value);
    }
    return Object.assign(row, { updated_at: now() });
  };

  /** Lists what is wrong with a body: a text that the store cannot keep is reported once. */
  const readProblems = (body: JsonObject): readonly InputProblem[] => {
    const problems = rules.validate?.(body, now()) ?? [];
    const places = new Set(problems.map(({ pointer }) => pointer));
    return [...problems, ...findNulCharacters(body).filter(({ pointer }) => !places.has(pointer))];
  };

  const prepare = async (
    row: ResourceRow,
    about: Omit<Writes<RecordRow, JsonObject>, 'row' | 'problems'>,
  ): Promise<Checked> => {
    const { columns, check } = await rules.prepare(parts, { ...about, row, problems: readProblems(about.body) });
    return { row: { ...row, ...columns }, check: async (db, written) => check?.(db, written) };
  };

  return {
    async create(caller, body, scope = 'workspace') {
      rules.authorise(caller, 'create', body);
      refuseForeign(caller, scope === 'organisation');
      const plain = newRow(caller, body, scope);
      refuseOverlaid(plain);
      const { row, check } = await prepare(plain, { caller, body });
      await mapConflict(
        () => taken(row),
        () =>
          store.write(async (writing) => {
            await check(writing, row);
            await refuseMore(writing, row);
            await refuseTaken(writing, row);
            await recordWriter(store, writing, resource).insert(row);
          }),
      );
      return row;
    },

    list: (caller, page) => listRecords(store.db, resource, { caller, page }),

    get: (named) => found(store.db, named),

    async update(named, body) {
      rules.authorise(named.caller, 'update', body);
      let check: Checked['check'] = async () => {};
      return applyChange<ResourceRow>(store, {
        find: (db) => changeable(db, named),
        async make(before) {
          const checked = await prepare(changedRow(before, body), { caller: named.caller, body, before });
          check = checked.check;
          return checked.row;
        },
        async replace(writing, row) {
          await refuseTaken(writing, row);
          await check(writing, row);
          await recordWriter(store, writing, resource).replace(row);
        },
      });
    },

    async remove(named) {
      rules.authorise(named.caller, 'delete', {});
      await store.write(async (writing) => {
        const row = await changeable(writing, named);
        await rules.beforeDelete?.(row, writing, parts);
        await recordWriter(store, writing, resource).remove(row);
      });
    },

    async show(caller, rows, isWhole = true) {
      const further = await view?.show(rows, { parts, caller });
      return rows.map((row, at) => ({ ...toRecord(resource, row, isWhole), ...further?.[at] }));
    },
  };
};
