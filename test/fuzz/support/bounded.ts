import { Script } from 'node:vm';

const script = new Script('globalThis.gatewrightFuzz()');

/**
 * Calls a function and aborts it with an error if it takes longer than this, even in an infinite loop: the JavaScript engine
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
