/** Makes the error of what a held process may not do, with the code that Node's own refusals have. */
export const noAccess = (message: string): Error => Object.assign(new Error(message), { code: 'ERR_ACCESS_DENIED' });
