/** Replaces a member, if there is one, so that nothing later puts it back. */
export const replaceForGood = (owner: object, name: string, by: object): void => {
  if (name in owner)
    Object.defineProperty(owner, name, { value: by, writable: false, configurable: false, enumerable: true });
};
