import { gatewayError } from '../../../schema/errors/errors.ts';
import type { UpstreamRequest } from '../../sdk/http/http.ts';
import { id, withProject } from './vertex-paths.ts';

/**
 * Returns the request with the project in its path. Throws the `GatewayError` `missing-base-url` if it needs a project and there
 * is none.
 */
export const withRequestProject = (request: UpstreamRequest, project: string | undefined): UpstreamRequest => {
  const path = withProject(request.path, project);
  if (path === undefined)
    throw gatewayError('missing-base-url', { provider: id, reason: 'cloudb_project_id is missing.' });
  return { ...request, path };
};
