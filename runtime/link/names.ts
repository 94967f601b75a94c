import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { Guardrail } from '../../plugins/sdk/guardrail.ts';
import type { Hooks } from '../../plugins/sdk/hooks.ts';
import type { Provider } from '../../plugins/sdk/provider.ts';

/** Looks up what plugins provide, by name. */
export interface Names {
  provider(id: string): Provider | undefined;
  dialect(id: string): Dialect | undefined;
  check(id: string): Guardrail | undefined;
}

/** Asks each name's hook once. */
const remembered = <Thing>(ask: (name: string) => Thing | undefined): ((name: string) => Thing | undefined) => {
  const known = new Map<string, Thing>();
  return (name) => {
    const thing = known.get(name) ?? ask(name);
    if (thing !== undefined) known.set(name, thing);
    return thing;
  };
};

export const createNames = (hooks: Hooks): Names => ({
  provider: remembered((id) => hooks.provider.get(id)?.call()),
  dialect: remembered((id) => hooks.dialect.get(id)?.call()),
  check: remembered((id) => hooks.check.get(id.toLowerCase())?.call()),
});
