import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { FolderFile } from '../folder/read-folder.ts';
import type { Reference } from '../folder/references.ts';
import type { SecretValues } from '../folder/secrets.ts';
import type { Kind, Place } from '../kinds/kind.ts';
import type { ListedRecord, StoredRecord } from '../store/read-store.ts';

/** A checked file, and the record that it describes. */
export interface WantedRecord extends Omit<FolderFile, 'body'> {
  /** Its members, with names instead of ids and references instead of secrets. */
  readonly body: JsonObject;
  readonly secrets: SecretValues;
  readonly references: readonly Reference[];
}

/** A changed member in readable form; `before` or `after` is absent if the member is. */
export interface MemberChange {
  readonly member: string;
  readonly before?: string;
  readonly after?: string;
}

interface AnyStep {
  readonly key: string;
  readonly kind: Kind;
  readonly place: Place;
  readonly handle: string;
  readonly changes: readonly MemberChange[];
}

/** A single step of a plan. */
export type Step =
  | (AnyStep & {
      readonly action: 'create';
      readonly wanted: WantedRecord;
      /** Members that are set once the records that they refer to exist. */
      readonly later?: readonly string[];
    })
  | (AnyStep & {
      readonly action: 'change' | 'replace';
      readonly wanted: WantedRecord;
      readonly found: StoredRecord;
      /** Whether the record was not created by this folder, which takes it over. */
      readonly isAdopted: boolean;
    })
  | (AnyStep & { readonly action: 'delete'; readonly found: StoredRecord })
  /** Forgets a record without deleting it: it existed before the folder took it over, or is gone. */
  | (AnyStep & { readonly action: 'release'; readonly found?: ListedRecord });
