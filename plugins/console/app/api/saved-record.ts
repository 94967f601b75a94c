import { texts } from '../texts/shell.ts';
import { call, put } from './client.ts';
import { ApiError } from './error.ts';

/** A record as a form was filled from it, with its tag. A change that sends the tag is refused if the record has changed since. */
export interface SavedRecord<Item> {
  readonly item: Item;
  readonly etag: string;
}

/** Begins the tags that stand for those that a proxy has removed. */
const standIn = 'removed:';

const isStandIn = (etag: string): boolean => etag.startsWith(standIn);

/**
 * Returns the tag of a record. A proxy that compresses responses marks tags as weak, but the gateway accepts only strong ones.
 * Other proxies remove them.
 */
const etagOf = (headers: Headers, item: object): string =>
  headers.get('etag')?.replace(/^W\//, '') ?? `${standIn}${JSON.stringify(item)}`;

export const readRecord = async <Item>(path: string, signal?: AbortSignal): Promise<SavedRecord<Item>> => {
  const { body, headers } = await call<Item>('GET', path, signal === undefined ? {} : { signal });
  return { item: body, etag: etagOf(headers, body as object) };
};

/**
 * Changes a record that still has a tag, and returns the response and the new tag. Throws an `ApiError` with status 412 if it has
 * another one. The gateway compares the tags, unless a proxy removes them.
 */
export const putTagged = async <Answer>(
  path: string,
  body: object,
  etag: string,
): Promise<{ readonly body: Answer; readonly etag: () => Promise<string> }> => {
  const isCompared = !isStandIn(etag);
  if (!isCompared && (await readRecord(path)).etag !== etag) throw new ApiError(texts.conflict.lead, { status: 412 });
  const reply = await call<Answer>('PUT', path, { body, headers: isCompared ? { 'if-match': etag } : {} });
  const saved = reply.headers.get('etag');
  return {
    body: reply.body,
    etag: async () => (saved === null ? (await readRecord(path)).etag : etagOf(reply.headers, {})),
  };
};

/** Somebody else has changed a member that a form changes too, and nothing was saved. */
export class RecordConflict extends ApiError {
  /** The record as it is stored now. */
  readonly stored: SavedRecord<object>;
  /** The stored values of the members that both have changed. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(stored: SavedRecord<object>, members: Readonly<Record<string, unknown>>) {
    super(texts.conflict.lead, { status: 412 });
    this.stored = stored;
    this.members = members;
  }
}

/** Placeholders of secrets begin with this text. A new secret has the same placeholder as the one before. */
const placeholder = '"gw-sealed:';

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';

/** Returns the stored values of the edited members that have other values than before, or secrets, whose changes are not visible. */
export const membersOfBoth = (changes: object, before: object, stored: object): Readonly<Record<string, unknown>> => {
  const known = new Map(Object.entries(before));
  const now = new Map(Object.entries(stored));
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, value]) => {
      const text = textOf(now.get(name));
      const isChanged = text !== textOf(known.get(name)) || text.includes(placeholder);
      return isChanged && text !== textOf(value) ? [[name, now.get(name) ?? null]] : [];
    }),
  );
};

/** How many times a change is sent if others change the same record at the same time. */
const maxTries = 5;

/** Calls `save`, with the number of the try, until nobody else has changed the record between its read and its write (412). */
export const untilSaved = async <Answer>(save: (tried: number) => Promise<Answer>): Promise<Answer> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await save(tried);
    } catch (thrown) {
      const isOvertaken = thrown instanceof ApiError && thrown.status === 412 && !(thrown instanceof RecordConflict);
      if (!isOvertaken || tried === maxTries) throw thrown;
    }
  }
};

/**
 * Saves the edited members of a record. If others have changed only other members since the form was filled from `seen`, both
 * changes are kept. Throws a `RecordConflict` if they have changed the same members.
 */
export const changeRecord = <Answer>(
  path: string,
  changes: object,
  { item, etag }: SavedRecord<object>,
): Promise<Answer> => {
  const readCurrent = async (): Promise<SavedRecord<object>> => {
    const stored = await readRecord<object>(path);
    const members = stored.etag === etag ? {} : membersOfBoth(changes, item, stored.item);
    if (Object.keys(members).length > 0) throw new RecordConflict(stored, members);
    return stored;
  };
  if (isStandIn(etag)) return readCurrent().then(() => put<Answer>(path, changes));
  return untilSaved(async (tried) => {
    const current = tried === 1 ? etag : (await readCurrent()).etag;
    return (await putTagged<Answer>(path, changes, current)).body;
  });
};
