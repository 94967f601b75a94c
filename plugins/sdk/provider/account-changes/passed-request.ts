import { headerValue, type RawHeaders } from '../../http/http.ts';

/** A request that is passed through, with the parts that show what it does. */
export interface PassedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
}

/** Whether a request that is passed through changes, or administers, what belongs to all who share an account. */
export type ChangesAccount = (request: PassedRequest) => boolean;

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method only reads. */
export const isReading = ({ method }: PassedRequest): boolean => reads.has(method.toUpperCase());

/** Headers by which some servers let a request be one of another method. */
const overriding = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;

/** A request in each of the methods by which a server may read it. */
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
