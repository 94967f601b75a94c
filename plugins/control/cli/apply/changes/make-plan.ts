import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { valueAt } from '../../../../../schema/json/look-up.ts';
import { findObject } from '../../../../../schema/json/loose.ts';
import { fromPointer, type JsonPointer } from '../../../../../schema/json/pointer.ts';
import { withValues } from '../../../../../schema/json/with-values.ts';
import { isPlaceholder, readPlaces } from '../../../kernel/secrets/literals.ts';
import type { Problems } from '../folder/problems.ts';
import { noteSecretsAt } from '../folder/secrets.ts';
import { fixedChanges, workspaceKind } from '../kinds/kinds.ts';
import { type ApplyApi, mapRequests } from '../store/api.ts';
import type { Owned } from '../store/ownership.ts';
import type { FileNames, ListedRecord, StoredRecord, StoreReader } from '../store/read-store.ts';
import { compareMembers, otherSecret } from './changes.ts';
import type { Step, WantedRecord } from './step.ts';

const maxCompared = 100;

/** Queries which secrets of a record are equal to those of its file. The others differ. */
const compareSecrets = async (
  api: ApplyApi,
  { kind, place, id }: StoredRecord,
  values: readonly (readonly [JsonPointer, string])[],
): Promise<ReadonlySet<string>> => {
  const equal = new Set<string>();
  for (let at = 0; at < values.length; at += maxCompared) {
    const { body } = await api.ask(
      {
        method: 'POST',
        path: `${kind.path}/${id}/compare`,
        body: { values: Object.fromEntries(values.slice(at, at + maxCompared)) },
      },
      place,
    );
    for (const [pointer, isEqual] of Object.entries(findObject(body.equal) ?? {}))
      if (isEqual === true) equal.add(pointer);
  }
  return equal;
};

/** Returns the stored members, with the file's references in place of the secrets that are equal. */
const withEqualSecrets = async (
  api: ApplyApi,
  found: StoredRecord,
  { body, secrets }: WantedRecord,
): Promise<JsonObject> => {
  const isSealed = (pointer: JsonPointer): boolean => {
    const stored = valueAt(found.body, fromPointer(pointer));
    return stored !== undefined && isPlaceholder(stored);
  };
  const sealed = [...secrets].filter(([pointer]) => isSealed(pointer));
  const equal = await compareSecrets(api, found, sealed);
  const toReference = (pointer: JsonPointer): Json => valueAt(body, fromPointer(pointer)) ?? null;
  const values = new Map<JsonPointer, Json>();
  for (const [pointer, value] of secrets) {
    const stored = valueAt(found.body, fromPointer(pointer));
    if (equal.has(pointer) || (!isSealed(pointer) && stored === value)) values.set(pointer, toReference(pointer));
    else if (stored !== undefined) values.set(pointer, otherSecret);
  }
  return withValues(found.body, values) as JsonObject;
};

/** The files and notes from which a plan is created. */
export interface PlanInput {
  readonly wanted: readonly WantedRecord[];
  readonly owned: ReadonlyMap<string, Owned>;
  /** Whether records that the folder has created and no longer contains are deleted. */
  readonly prune: boolean;
  readonly names: FileNames;
}

/** Finds the record of a file: the one that was created for it, or else the one with its name. */
const findListed = async (
  reader: StoreReader,
  { kind, place, handle, body, file }: WantedRecord,
  { owned, problems }: { readonly owned: Owned | undefined; readonly problems: Problems },
): Promise<ListedRecord | undefined> => {
  const listed = await reader.list(kind, place);
  const own = listed.find(({ id }) => id === owned?.id);
  if (own !== undefined) return own;
  const name = kind.byName ? body.name : handle;
  const [first, ...others] = listed.filter((each) => each.name === name);
  if (others.length > 0)
    problems.at(file, '/name', {
      message: `The store has ${others.length + 1} with this name.`,
      hint: `Rename or delete the others: gw ${kind.folder} list shows them.`,
    });
  return first;
};

const toChangeStep = (
  wanted: WantedRecord,
  {
    found,
    before,
    owned,
    problems,
  }: { found: StoredRecord; before: JsonObject; owned: Owned | undefined; problems: Problems },
): readonly Step[] => {
  const { key, kind, place, handle, file, body } = wanted;
  const changes = compareMembers(before, body);
  const fixed = fixedChanges(kind, { before, wanted: body });
  if (fixed.length > 0 && kind.isReplaced !== true)
    for (const member of fixed)
      problems.at(file, body[member] === undefined ? '' : `/${member}`, {
        message: `"${member}" of an existing ${kind.noun} cannot be changed.`,
        hint: 'Rename the file to create another record.',
      });
  const isAdopted = owned === undefined;
  if (changes.length === 0 && !isAdopted && owned.id === found.id) return [];
  const action = fixed.length > 0 ? 'replace' : 'change';
  return [{ action, key, kind, place, handle, changes, wanted, found: { ...found, body: before }, isAdopted }];
};

/** Reports literal secrets in places where the store has sealed ones. */
const noteLiterals = (wanted: WantedRecord, found: StoredRecord, problems: Problems): void =>
  noteSecretsAt(
    wanted,
    readPlaces(found.body, isPlaceholder).map(([pointer]) => pointer),
    problems,
  );

const planWanted = async (
  { api, reader, problems }: { readonly api: ApplyApi; readonly reader: StoreReader; readonly problems: Problems },
  { wanted, owned, names }: PlanInput,
): Promise<readonly Step[]> => {
  const listed = await mapRequests(wanted, (each) =>
    findListed(reader, each, { owned: owned.get(each.key), problems }),
  );
  const whole = await reader.whole(
    listed.filter((each) => each !== undefined),
    names,
  );
  const byId = new Map(whole.map((each) => [each.id, each]));
  const idOf = new Map(wanted.map(({ key }, at) => [key, listed[at]?.id ?? '']));
  const steps = await mapRequests(wanted, async (each): Promise<readonly Step[]> => {
    const { key, kind, place, handle, body } = each;
    const found = byId.get(idOf.get(key) ?? '');
    if (found === undefined)
      return [{ action: 'create', key, kind, place, handle, changes: compareMembers({}, body), wanted: each }];
    noteLiterals(each, found, problems);
    const before = await withEqualSecrets(api, found, each);
    return toChangeStep(each, { found, before, owned: owned.get(key), problems });
  });
  return steps.flat();
};

/** Plans the steps for records that the folder has created and no longer contains. */
const planPruned = async (reader: StoreReader, { wanted, owned, names }: PlanInput): Promise<readonly Step[]> => {
  const keys = new Set(wanted.map(({ key }) => key));
  const steps: Step[] = [];
  for (const [key, { kind, place, handle, id, isAdopted }] of owned) {
    if (keys.has(key)) continue;
    const listed = await reader.list(kind, place);
    const head = listed.find((each) => (id === undefined ? !kind.byName && each.name === handle : each.id === id));
    const step = { key, kind, place, handle, changes: [] };
    const [found] = head === undefined || isAdopted ? [] : await reader.whole([head], names);
    if (found !== undefined) steps.push({ action: 'delete', ...step, found });
    else steps.push({ action: 'release', ...step, ...(head !== undefined && { found: head }) });
  }
  return steps;
};

/** Lists the members that must be set later, because they refer to records in a new workspace. */
const laterMembers = ({ wanted, kind }: Extract<Step, { readonly action: 'create' }>): readonly string[] =>
  kind === workspaceKind && wanted.references.some(({ pointer }) => pointer.startsWith('/settings/'))
    ? ['settings']
    : [];

/** Finds the necessary steps, in no particular order, and reports what is wrong with them. Rejects like the API. */
export const makePlan = async (
  parts: { readonly api: ApplyApi; readonly reader: StoreReader; readonly problems: Problems },
  input: PlanInput,
): Promise<readonly Step[]> => {
  const steps = await planWanted(parts, input);
  const pruned = input.prune ? await planPruned(parts.reader, input) : [];
  return [
    ...steps.map((step) => (step.action === 'create' ? { ...step, later: laterMembers(step) } : step)),
    ...pruned,
  ];
};
