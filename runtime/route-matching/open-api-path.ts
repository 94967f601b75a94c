import type { ControlPath } from '../../plugins/sdk/route/route-row.ts';

/** The path at which the control plane describes itself, below the base. */
export const openApiPath: ControlPath = '/openapi.json';
