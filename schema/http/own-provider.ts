/** The value of `x-gw-provider` for files that the gateway itself keeps, instead of a provider. */
export const ownProvider = 'gw';
