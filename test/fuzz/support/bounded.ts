import { Script } from 'node:vm';

const script = new Script('globalThis.gatewrightFuzz()');

/**
 * Calls a function, and ends it with an error if it takes longer than this, even in a loop that never ends: the engine
 * itself interrupts it.
 */
export const bounded = (run: () => void, timeout: number): void => {
  Object.assign(globalThis, { gatewrightFuzz: run });
  try {
    script.runInThisContext({ timeout });
  } finally {
    Reflect.deleteProperty(globalThis, 'gatewrightFuzz');
  }
};
