/** A `fetch` for a library, which remembers what the gateway's answers say in their headers. */
export interface ResponseTap {
  readonly fetch: typeof fetch;
  /** The members in the last response's header `x-gw-dropped-params`. */
  dropped(): readonly string[];
  /** The header `retry-after` of each response with status 429, empty where it had none. */
  waits(): readonly string[];
}

export const droppedHeader = 'x-gw-dropped-params';

/** The members that a header of dropped ones lists. */
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
