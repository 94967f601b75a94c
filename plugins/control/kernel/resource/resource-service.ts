import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { refuseOtherValues } from '../records/fixed-members.ts';
import { newNameErrors } from '../records/name-errors.ts';
import { newSlug } from '../records/new-slug.ts';
import { applyChange, type PageResult, type Reading, refuseIfOverMax } from '../records/records.ts';
import type { SearchedPage } from '../records/search.ts';
import { showRows } from '../records/show-rows.ts';
import { type Precondition, refuseChanged } from '../requests/precondition.ts';
import { conflict, forbidden, nameTakenHint, notFound, withNulCharacters } from '../requests/refusals.ts';
import { newId } from '../store/new-id.ts';
import { mapConflict } from '../store/rows/is-conflict.ts';
import type { Prepared, RecordRow, Resource, ResourceParts, Writes } from './define-resource.ts';
import type { Member } from './member.ts';
import { ownershipRules, type ResourceCaller } from './ownership.ts';
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
interface NamedRecord {
  readonly caller: ResourceCaller;
  readonly name: string;
  readonly precondition?: Precondition;
}

/** A record as it was written, and the warnings of the body. If a change was retried, they are those of the last attempt. */
export interface WrittenRecord {
  readonly row: ResourceRow;
  readonly warnings: readonly Diagnostic[];
}

/** A row that rules have completed, and what runs in the transaction that writes it. */
type Checked = WrittenRecord & Required<Pick<Prepared<RecordRow>, 'check'>>;

/** Returns the columns of the members for which `read` returns a value; null removes a stored value. */
const toColumns = (
  { members }: Resource,
  read: (name: string, member: Member) => Json | undefined,
): { readonly [column: string]: string | number | null } =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => {
      const value = read(name, member);
      return value === undefined ? [] : [[name, value === null ? null : member.toColumn(value)]];
    }),
  );

/** The same parts, but sealing does nothing, because the first secret of a tenant would be a write. */
const unsealed = (parts: ResourceParts): ResourceParts => ({
  ...parts,
  sealer: { ...parts.sealer, seal: async () => ({ v: 1, key: '', nonce: '', box: '' }) },
});

/** The operations on the records of a resource. All methods reject with a `GatewayError`, or as the store does. */
export class ResourceService {
  readonly #resource: Resource;
  readonly #parts: ResourceParts;

  constructor(resource: Resource, parts: ResourceParts) {
    this.#resource = resource;
    this.#parts = parts;
  }

  async create(
    caller: ResourceCaller,
    body: JsonObject,
    scope: 'workspace' | 'organisation' = 'workspace',
  ): Promise<WrittenRecord> {
    const { store } = this.#parts;
    this.#resource.rules.authorise(caller, 'create', body);
    this.#refuseForeign(caller, scope === 'organisation');
    const plain = this.#newRow(caller, body, scope);
    this.#refuseOverlaid(plain);
    const { row, check, warnings } = await this.#prepare(plain, { caller, body });
    await mapConflict(
      () => this.#taken(row),
      () =>
        store.write(async (writing) => {
          await check(writing, row);
          await this.#refuseMore(writing, row);
          await this.#refuseTaken(writing, row);
          await recordWriter(store, writing, this.#resource).insert(row);
        }),
    );
    return { row, warnings };
  }

  /**
   * Validates a body for a new record, or for a change of the named record, without writing anything. Resolves to the places of
   * its secrets, and its warnings.
   */
  async tryOut(
    caller: ResourceCaller,
    body: JsonObject,
    {
      scope = 'workspace',
      named,
    }: {
      readonly scope?: 'workspace' | 'organisation' | undefined;
      readonly named?: NamedRecord;
    },
  ): Promise<Pick<WrittenRecord, 'warnings'> & { readonly secrets: readonly JsonPointer[] }> {
    this.#resource.rules.authorise(caller, named === undefined ? 'create' : 'update', body);
    const before = named && (await this.#findChangeable(this.#parts.store.db, named));
    if (before === undefined) this.#refuseForeign(caller, scope === 'organisation');
    const plain = before === undefined ? this.#newRow(caller, body, scope) : this.#changedRow(before, body);
    if (before === undefined) this.#refuseOverlaid(plain);
    const { row, warnings } = await this.#prepare(plain, { caller, body, before }, unsealed(this.#parts));
    return { secrets: (await this.#resource.secrets?.(row))?.map(({ pointer }) => pointer) ?? [], warnings };
  }

  list(caller: ResourceCaller, page: SearchedPage): Promise<PageResult<ResourceRow>> {
    return listRecords(this.#parts.store, this.#resource, { caller, page });
  }

  get(named: NamedRecord): Promise<ResourceRow> {
    return this.#find(this.#parts.store.db, named);
  }

  async update(named: NamedRecord, body: JsonObject): Promise<WrittenRecord> {
    const { store } = this.#parts;
    const { caller } = named;
    this.#resource.rules.authorise(caller, 'update', body);
    let checked: Omit<Checked, 'row'> = { check: async () => {}, warnings: [] };
    const row = await applyChange<ResourceRow>(store, {
      find: (db) => this.#findChangeable(db, named),
      make: async (before) => {
        const { row: after, ...rest } = await this.#prepare(this.#changedRow(before, body), { caller, body, before });
        checked = rest;
        return after;
      },
      replace: async (writing, after) => {
        await this.#refuseTaken(writing, after);
        await checked.check(writing, after);
        await recordWriter(store, writing, this.#resource).replace(after);
      },
    });
    return { row, warnings: checked.warnings };
  }

  async remove(named: NamedRecord): Promise<void> {
    const { store } = this.#parts;
    const { rules } = this.#resource;
    rules.authorise(named.caller, 'delete', {});
    await store.write(async (writing) => {
      const row = await this.#findChangeable(writing, named);
      await rules.beforeDelete?.(row, writing, this.#parts);
      await recordWriter(store, writing, this.#resource).remove(row);
    });
  }

  /** Returns records as the caller is shown them: whole records, or without the members that lists omit. */
  async show(
    caller: ResourceCaller,
    rows: readonly ResourceRow[],
    isWhole: boolean = true,
  ): Promise<readonly JsonObject[]> {
    const { noun } = this.#resource;
    const records = showRows(noun, rows, (row) => toRecord(this.#resource, row, isWhole));
    const further = await this.#resource.view?.show(rows, { parts: this.#parts, caller });
    return records.map((record, at) => ({ ...record, ...further?.[at] }));
  }

  async #find(db: Reading, { caller, name }: NamedRecord): Promise<ResourceRow> {
    const row = await findRecord(db, this.#resource, { caller, name });
    if (row === undefined) throw notFound(this.#resource.noun, name, `GET /v1${this.#resource.path}`);
    return row;
  }

  /** The same, but also checks that the caller may change the record, and that it has not changed since the caller read it. */
  async #findChangeable(db: Reading, named: NamedRecord): Promise<ResourceRow> {
    const row = await this.#find(db, named);
    this.#refuseForeign(named.caller, row.workspace_id === null);
    refuseChanged(row, { precondition: named.precondition, what: this.#resource.noun, name: named.name });
    return row;
  }

  #newRow(caller: ResourceCaller, body: JsonObject, scope: 'workspace' | 'organisation'): ResourceRow {
    const { owner, noun, discriminator } = this.#resource;
    const createdAt = this.#parts.now();
    return {
      id: newId(createdAt),
      ...ownershipRules[owner].columns(caller, scope),
      ...discriminator,
      ...toColumns(this.#resource, (name, { presence, initial = null, prefix }) => {
        const made = presence === 'fixed' ? newSlug(String(body.name ?? noun), prefix) : initial;
        return body[name] ?? made;
      }),
      created_at: createdAt,
      updated_at: createdAt,
    };
  }

  /**
   * Returns the row after a change. Throws the `GatewayError` `invalid-input` for another value of a member that never changes.
   */
  #changedRow(before: ResourceRow, body: JsonObject): ResourceRow {
    const { noun, members } = this.#resource;
    const fixed = Object.entries(members).filter(([, { presence }]) => presence === 'fixed');
    refuseOtherValues(noun, before, Object.fromEntries(fixed.map(([name]) => [name, body[name]])));
    return { ...before, ...toColumns(this.#resource, (name) => body[name]), updated_at: this.#parts.now() };
  }

  async #prepare(
    row: ResourceRow,
    about: Omit<Writes<ResourceRow, JsonObject>, 'row' | 'problems'>,
    parts: ResourceParts = this.#parts,
  ): Promise<Checked> {
    const { rules } = this.#resource;
    const { body, before } = about;
    const found = [
      ...(this.#resource.members.name?.isDisplayName === true ? newNameErrors(body, before) : []),
      ...(rules.validate?.(body, this.#parts.now()) ?? []),
    ];
    const problems = withNulCharacters(found, body);
    const { columns, warnings = [], check = async () => {} } = await rules.prepare(parts, { ...about, row, problems });
    return { row: { ...row, ...columns }, warnings, check };
  }

  /** Throws the `GatewayError` `forbidden` if a record belongs to the organisation and the caller cannot access all of it. */
  #refuseForeign({ reach }: ResourceCaller, isOrganisations: boolean): void {
    if (!isOrganisations || reach === 'organisation') return;
    throw forbidden([
      {
        pointer: toPointer(['scope']),
        message: `This key belongs to one workspace, but ${this.#resource.plural} of an organisation apply to all of them.`,
        hint: 'Use a key of the organisation.',
      },
    ]);
  }

  #taken(row: ResourceRow): GatewayError {
    const { rules, noun, path, owner, naming = 'id' } = this.#resource;
    const name = String(row[naming]);
    return (
      rules.taken?.(name, 'record') ??
      conflict(
        owner === 'either'
          ? `There is already a ${noun} "${name}" in this workspace or its organisation.`
          : `This workspace already has a ${noun} "${name}".`,
        nameTakenHint(naming, { noun, path, name }),
      )
    );
  }

  async #refuseTaken(db: Reading, row: ResourceRow): Promise<void> {
    if (await isNameTaken(db, this.#resource, row)) throw this.#taken(row);
  }

  #refuseOverlaid(row: ResourceRow): void {
    const { rules, noun, overlay, naming = 'id' } = this.#resource;
    const name = String(row[naming]);
    if (overlay !== undefined && Object.hasOwn(this.#parts.overlay.saved[overlay], name))
      throw (
        rules.taken?.(name, 'file') ??
        conflict(`The gateway file has a ${noun} "${name}".`, `Choose another ${naming}.`)
      );
  }

  async #refuseMore(db: Reading, row: ResourceRow): Promise<void> {
    const { plural, max } = this.#resource;
    const owner = typeof row.workspace_id === 'string' ? 'workspace' : 'organisation';
    refuseIfOverMax(plural, await countOwned(db, this.#resource, row), { max, owner });
  }
}
