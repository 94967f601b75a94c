import { expect, it } from 'vitest';
import { limitCommands, scriptText } from '../../../../../plugins/control/metering/counters/redis/script-texts.ts';
import { upkeepScripts } from '../../../../../plugins/control/metering/counters/redis/upkeep.ts';

it('names every command that the scripts of limits call', () => {
  const names = ['decide', ...(Object.keys(upkeepScripts) as (keyof typeof upkeepScripts)[])] as const;
  const calls = names.flatMap((name) => [...scriptText(name).matchAll(/\bredis\.p?call\b([^,)]*)/g)]);
  expect(calls.length).toBeGreaterThan(0);
  const commands = limitCommands();
  for (const [, given = ''] of calls) expect(commands).toContain(/^\('([A-Z]+)'$/.exec(given)?.[1]?.toLowerCase());
});
