/** The flag that turns `gw keys create` into the recovery of an admin key. */
export const adminFlag = '--admin';
