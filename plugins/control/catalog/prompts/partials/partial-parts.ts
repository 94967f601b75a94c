import type { PartialRow, PartialVersionRow } from '../../../kernel/store/tables/tables.ts';

export interface NewPartialBody {
  readonly name: string;
  readonly string: string;
  readonly slug?: string;
  readonly version_description?: string;
}

/** With `string` it makes a new version. */
export interface PartialChangeBody {
  readonly name?: string;
  readonly string?: string;
  readonly version_description?: string;
}

/** A partial, and the version that a request is about. */
export interface VersionedPartial {
  readonly row: PartialRow;
  readonly version: PartialVersionRow;
}
