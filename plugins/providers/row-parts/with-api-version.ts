import { withQueryMember } from './with-query-member.ts';

/** The path with a query member `api-version`, unless it has one. */
export const withApiVersion = (path: string, version: string): string => withQueryMember(path, 'api-version', version);
