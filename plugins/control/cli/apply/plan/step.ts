import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { FolderFile } from '../folder/read-folder.ts';
import type { Reference } from '../folder/references.ts';
import type { SecretValues } from '../folder/secrets.ts';
import type { Kind, Place } from '../kinds/kind.ts';
import type { ListedRecord, StoredRecord } from '../store/read-store.ts';

/** A file that is checked, and what its record is to be. */
export interface WantedRecord extends Omit<FolderFile, 'body'> {
  /** Its members, with names in place of ids and with references in place of secrets. */
  readonly body: JsonObject;
  readonly secrets: SecretValues;
  readonly references: readonly Reference[];
}

/** A member that changes, as people read it; absent on the side where it is not there. */
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

/** One thing to do. */
export type Step =
  | (AnyStep & {
      readonly action: 'create';
      readonly wanted: WantedRecord;
      /** Members that are set once what they name is there. */
      readonly later?: readonly string[];
    })
  | (AnyStep & {
      readonly action: 'change' | 'replace';
      readonly wanted: WantedRecord;
      readonly found: StoredRecord;
      /** Whether it was not made by this folder, which takes it over. */
      readonly isAdopted: boolean;
    })
  | (AnyStep & { readonly action: 'delete'; readonly found: StoredRecord })
  /** Forgets a record, which stays: it was there before the folder took it over, or is gone. */
  | (AnyStep & { readonly action: 'release'; readonly found?: ListedRecord });
