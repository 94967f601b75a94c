import { texts } from '../texts/shell.ts';
import { call, put } from './client.ts';
import { ApiError } from './error.ts';

/** A record as a form was filled from it, with its tag. A change that sends the tag is refused if the record has changed since. */
export interface SavedRecord<Item> {
  readonly item: Item;
  readonly etag: string;
}

/** The tag that every version of a record matches. */
const anyTag = '*';

/** Returns the tag of a record. A proxy that compresses responses marks tags as weak, but the gateway accepts only strong ones. */
export const etagIn = (headers: Headers): string => (headers.get('etag') ?? anyTag).replace(/^W\//, '');

export const readRecord = async <Item>(path: string, signal?: AbortSignal): Promise<SavedRecord<Item>> => {
  const { body, headers } = await call<Item>('GET', path, signal === undefined ? {} : { signal });
  return { item: body, etag: etagIn(headers) };
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
  const currentTag = async (): Promise<string> => {
    const stored = await readRecord<object>(path);
    const members = membersOfBoth(changes, item, stored.item);
    if (Object.keys(members).length > 0) throw new RecordConflict(stored, members);
    return stored.etag;
  };
  return untilSaved(async (tried) =>
    put<Answer>(path, changes, { headers: { 'if-match': tried === 1 ? etag : await currentTag() } }),
  );
};
