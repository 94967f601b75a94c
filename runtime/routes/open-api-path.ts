import type { ControlPath } from '../../plugins/sdk/route/route-row.ts';

/** Where the control plane describes itself, below the base. */
export const openApiPath: ControlPath = '/openapi.json';
