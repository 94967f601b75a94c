/** The scopes of a key for somebody who only looks: at figures, requests and configs. The recipe of the console has them too. */
export const viewerScopes = ['logs.list', 'logs.view', 'analytics.view', 'configs.list', 'configs.read'] as const;
