import type { RawHeaders } from '../http/http.ts';

/** A page or a file of the console. */
export interface ConsolePage {
  readonly status: number;
  readonly type: string;
  readonly text: string | Uint8Array;
  readonly headers: RawHeaders;
}

/** Returns a page or a file of the console for the path of a `GET` or `HEAD` request, or undefined if there is none. */
export type ReadConsolePage = (asked: {
  readonly path: string;
  readonly headers: RawHeaders;
}) => Promise<ConsolePage | undefined>;
