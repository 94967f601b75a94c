/** The name in `x-gw-provider` of what the gateway itself keeps: its own files, and no provider's. */
export const ownProvider = 'gw';
