/** Creates the error for something that a restricted process may not do, with the code of Node's own permission errors. */
export const noAccess = (message: string): Error => Object.assign(new Error(message), { code: 'ERR_ACCESS_DENIED' });
