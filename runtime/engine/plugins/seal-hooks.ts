import { HookMap } from 'tapable';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';

/** The methods that register a tap. */
const taps = ['tap', 'tapAsync', 'tapPromise', 'intercept'] as const;
type Tappable = Record<(typeof taps)[number], (...args: never[]) => unknown>;

const refuse = (name: string): never => {
  throw new Error(`The hook "${name}" is sealed: plans have been linked, so a new tap would never run.`);
};

const sealHook = (hook: object, name: string): void => {
  // The methods of each hook are replaced, because the library has no way to seal a hook.
  const tappable = hook as Tappable;
  for (const tap of taps) tappable[tap] = () => refuse(name);
};

/**
 * Keeps track of the hooks, and returns a function that seals all of them. Whether a hook is used is read once, when plans are
 * linked, so a later tap would silently do nothing.
 */
export const sealHooks = (hooks: Hooks): (() => void) => {
  const known: { readonly name: string; readonly hook: object }[] = [];
  let sealed = false;
  for (const [name, hook] of Object.entries(hooks)) {
    if (!(hook instanceof HookMap)) {
      known.push({ name, hook });
      continue;
    }
    hook.intercept({
      factory: (key, made) => {
        const entry = { name: `${name}.for("${String(key)}")`, hook: made };
        known.push(entry);
        if (sealed) sealHook(entry.hook, entry.name);
        return made;
      },
    });
  }
  return () => {
    sealed = true;
    for (const { name, hook } of known) sealHook(hook, name);
  };
};
