import { headerValue, type RawHeaders } from '../../http/http.ts';

/** The parts of a passed-through request that show what it does. */
export interface PassedRequest {
  readonly method: string;
  /** The path, with its query. */
  readonly path: string;
}

/** Whether a passed-through request changes or administers what is shared by everyone who uses the account. */
export type ChangesAccount = (request: PassedRequest) => boolean;

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method only reads. */
export const isReading = ({ method }: PassedRequest): boolean => reads.has(method.toUpperCase());

/** Headers with which a client can override the method at some servers. */
const overriding = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;

/** Returns a request once for each method that a server might read in it. */
export const readMethods = (
  { method, path }: PassedRequest,
  headers: RawHeaders,
): readonly [PassedRequest, ...PassedRequest[]] => [
  { method, path },
  ...overriding.flatMap((name) => {
    const other = headerValue(headers, name)?.trim().toUpperCase();
    return other === undefined || other === '' ? [] : [{ method: other, path }];
  }),
];
