import { type GatewayError, gatewayError } from '../../../schema/errors.ts';
import { isConflict } from '../store/is-conflict.ts';

/** What a record is called in sentences, and the route that lists its kind. */
export interface RecordKind {
  readonly what: 'provider' | 'virtual key' | 'integration';
  readonly list: string;
}

export const providerKind: RecordKind = { what: 'provider', list: 'GET /v1/providers' };
export const virtualKeyKind: RecordKind = { what: 'virtual key', list: 'GET /v1/virtual-keys' };
export const integrationKind: RecordKind = { what: 'integration', list: 'GET /v1/integrations' };

export const notFoundError = ({ what, list }: RecordKind, slug: string): GatewayError =>
  gatewayError('not-found', { what, name: slug, suggestion: `${list} lists what there is.` });

/** A name that is taken, in the place that has it. */
export const takenError = (slug: string, by: string): GatewayError =>
  gatewayError('conflict', { fact: `The slug "${slug}" is taken by ${by}.`, suggestion: 'Choose another slug.' });

/** Runs a write that may find a slug taken: the `GatewayError` `conflict`. */
export const unlessTaken = async <Result>(slug: string, by: string, write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    throw isConflict(error) ? takenError(slug, by) : error;
  }
};
