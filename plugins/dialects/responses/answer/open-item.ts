import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent } from '../../shared/answer/block-event.ts';
import type { ItemStatus } from './output-items.ts';

/** An item that is being written. */
export interface OpenItem {
  /** Whether more of it may come, even after events of other items. */
  readonly isWaiting: boolean;
  begin(): readonly Frame[];
  /** Returns undefined for an event that does not belong to this item. */
  push(event: BlockEvent): readonly Frame[] | undefined;
  /** Returns the events that repeat the whole item. */
  end(status: ItemStatus): { readonly frames: readonly Frame[]; readonly item: JsonObject };
}
