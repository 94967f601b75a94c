import { describe, expect, it } from 'vitest';
import { readPermissions } from '../../../../plugins/host/loading/read-permissions.ts';
import { createHooks, renamedHooks } from '../../../../plugins/sdk/hooks/hooks.ts';

describe.each(Object.entries(renamedHooks) as [keyof typeof renamedHooks, keyof ReturnType<typeof createHooks>][])(
  'the hook %s, renamed to %s,',
  (old, name) => {
    it('is the same hook under both names and is listed once', () => {
      const hooks = createHooks();
      expect(hooks[old]).toBe(hooks[name]);
      expect(Object.keys(hooks)).toContain(name);
      expect(Object.keys(hooks)).not.toContain(old);
    });

    it('can be permitted under its old name', () => {
      expect(readPermissions({ hooks: [old] }).permissions?.hooks).toEqual([name]);
    });
  },
);
