import { boundMark } from '../../../../schema/conversation/bound.ts';

/** Characters that the API does not accept in an id of an item. An id is at most 64 characters long. */
const foreign = /[^\w-]/g;
const longestBase = 44;

/** The beginning of reasoning ids. No provider of this format knows them, and it refuses reasoning that it cannot find. */
const reasoning = 'rs_gw';

/** A request that contains such reasoning, or a bound value, is encoded for its provider. */
export const gatewayMarks: readonly string[] = [`"${boundMark}`, `"${reasoning}_`];

/** Creates ids for the items of one response from the response's own id: `msg_<response>_0`. */
export class ItemIds {
  readonly #base: string;
  #next = 0;

  constructor(response: string) {
    this.#base = response.replaceAll(foreign, '').slice(0, longestBase);
  }

  next(prefix: 'msg' | 'rs' | 'fc' | 'ctc' | 'ig'): string {
    const id = `${prefix === 'rs' ? reasoning : prefix}_${this.#base}_${this.#next}`;
    this.#next += 1;
    return id;
  }
}
