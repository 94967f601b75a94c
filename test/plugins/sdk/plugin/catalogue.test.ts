import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import type { LazyDialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Hooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { buildCatalogue, loadCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { loadWholePlugins } from '../../../../plugins/sdk/plugin/load-whole-plugins.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';

const late = { ...chat, id: 'late' };
const lazy: LazyDialect = {
  id: 'late',
  operation: 'converse',
  encodeError: chat.encodeError,
  load: async () => late,
};
const plugins = [definePlugin({ name: 'test', dialects: [lazy, chat] })];

describe('a catalogue', () => {
  it('contains the complete dialects, and lazy ones only after loading', async () => {
    expect([...buildCatalogue(plugins).dialects]).toEqual([['chat', chat]]);
    expect([...(await loadCatalogue(plugins)).dialects]).toEqual([
      ['late', late],
      ['chat', chat],
    ]);
  });

  it('rejects a duplicate name even if one of the dialects is not loaded', () => {
    const again = definePlugin({ name: 'again', dialects: [late] });
    expect(() => buildCatalogue([...plugins, again])).toThrow('Two plugins provide the dialect "late".');
  });
});

describe('a plugin whose dialects are loaded', () => {
  it('still applies, even if the plugin is an instance of a class', async () => {
    const applied: string[] = [];
    class Tapping {
      readonly name = 'tapping';
      readonly api = 1;
      readonly dialects = [lazy];
      apply(_hooks: Hooks, options: object): void {
        applied.push(`${this.name} ${JSON.stringify(options)}`);
      }
    }
    const tapping: Plugin = new Tapping();
    const [loaded] = await loadWholePlugins([tapping]);
    expect(loaded?.dialects).toEqual([late]);
    loaded?.apply?.({} as Hooks, { loud: true });
    expect(applied).toEqual(['tapping {"loud":true}']);
  });
});
