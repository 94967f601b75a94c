import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent } from '../../wire/answer/block-event.ts';
import type { ItemStatus } from './output-items.ts';

/** An item that is being written. */
export interface OpenItem {
  /** Whether it waits for more of itself, whatever comes between. */
  readonly isWaiting: boolean;
  begin(): readonly Frame[];
  /** Undefined for an event that is no part of this item. */
  push(event: BlockEvent): readonly Frame[] | undefined;
  /** The events that repeat the whole item. */
  end(status: ItemStatus): { readonly frames: readonly Frame[]; readonly item: JsonObject };
}
