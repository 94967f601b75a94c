/** A `fetch` for a library that remembers the information in the headers of the gateway's answers. */
export interface ResponseTap {
  readonly fetch: typeof fetch;
  /** The members in the last response's header `x-gw-dropped-params`. */
  dropped(): readonly string[];
  /** The header `retry-after` of each response with status 429. Empty if there was none. */
  waits(): readonly string[];
}

export const droppedHeader = 'x-gw-dropped-params';

/** Returns the members listed in a header of dropped members. */
export const toDropped = (header: string | null | undefined): readonly string[] =>
  header === null || header === undefined || header === '' ? [] : header.split(/\s*,\s*/);

export const tapResponses = (): ResponseTap => {
  let dropped: readonly string[] = [];
  const waits: string[] = [];
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      dropped = toDropped(response.headers.get(droppedHeader));
      if (response.status === 429) waits.push(response.headers.get('retry-after') ?? '');
      return response;
    },
    dropped: () => dropped,
    waits: () => waits,
  };
};
