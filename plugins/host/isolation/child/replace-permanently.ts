/** Replaces a member, if it exists, such that it cannot be restored later. */
export const replacePermanently = (owner: object, name: string, by: object): void => {
  if (name in owner)
    Object.defineProperty(owner, name, { value: by, writable: false, configurable: false, enumerable: true });
};
