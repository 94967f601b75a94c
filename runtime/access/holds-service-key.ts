import type { Identify } from '../../plugins/sdk/control-plane/identities.ts';

/** Whether one of these texts is a service key of this gateway. They are looked up in turn, until one is. */
export const holdsServiceKey = (texts: readonly string[], identify: Identify): boolean | Promise<boolean> => {
  for (const [at, text] of texts.entries()) {
    const holder = identify(text);
    if (holder instanceof Promise)
      return holder.then((found) => found !== undefined || holdsServiceKey(texts.slice(at + 1), identify));
    if (holder !== undefined) return true;
  }
  return false;
};
