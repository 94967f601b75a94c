/** The scopes of a key that only views metrics, requests and configs. The recipe of the console lists them too. */
export const viewerScopes = ['logs.list', 'logs.view', 'analytics.view', 'configs.list', 'configs.read'] as const;
