import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { errorEvent } from '../parts/errors.ts';

/** Writes the events of one stream, which are numbered from 0. */
export class EventWriter {
  #sequence = 0;

  write(type: string, members: JsonObject): Frame {
    return jsonFrame({ type, sequence_number: this.#take(), ...members }, type);
  }

  /** Writes an event with a response. `constant` is the JSON of its members that do not change, which is written only once. */
  writeResponse(type: string, state: JsonObject, constant: string): Frame {
    const { data } = this.write(type, { response: state });
    return { event: type, data: `${data.slice(0, -2)},${constant.slice(1)}}` };
  }

  /** Writes an error event. `body` is an error in the format of an answer. */
  writeError(body: JsonObject): Frame {
    return jsonFrame(errorEvent(body, this.#take()), 'error');
  }

  #take(): number {
    this.#sequence += 1;
    return this.#sequence - 1;
  }
}

/** The position of an item in the output, and its id. */
export interface ItemPlace {
  readonly index: number;
  readonly id: string;
}

/** Writes the events of one item. */
export class ItemWriter {
  readonly #events: EventWriter;
  readonly #place: ItemPlace;

  constructor(events: EventWriter, place: ItemPlace) {
    this.#events = events;
    this.#place = place;
  }

  get id(): string {
    return this.#place.id;
  }

  added(item: JsonObject): Frame {
    return this.#events.write('response.output_item.added', { output_index: this.#place.index, item });
  }

  done(item: JsonObject): Frame {
    return this.#events.write('response.output_item.done', { output_index: this.#place.index, item });
  }

  /** Writes an event that belongs to a part of the item. */
  part(type: string, members: JsonObject): Frame {
    const { id, index } = this.#place;
    return this.#events.write(`response.${type}`, { item_id: id, output_index: index, ...members });
  }
}
