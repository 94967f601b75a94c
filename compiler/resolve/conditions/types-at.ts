import { lookUp } from '../../../schema/json/look-up.ts';
import type { FactPath } from '../../../schema/plan/condition.ts';
import { type RequestParameter, requestParameters } from '../../schema-errors/request-parameters.ts';

/** Returns the types that requests have at a path, if known. */
export const typesAt = ([root, name = '', ...rest]: FactPath): RequestParameter['types'] | undefined =>
  root === 'params' && rest.length === 0 ? lookUp(requestParameters, name)?.types : undefined;
