import { expect, it } from 'vitest';
import { blamedPlugin } from '../../../../plugins/host/loading/blamed-plugin.ts';

it('blames the plugin of the innermost stack frame', () => {
  const plugins = [
    { plugin: 'outer', file: '/app/node_modules/outer/index.js' },
    { plugin: 'inner', file: '/app/node_modules/inner/dist/index.js' },
  ];
  const stack = [
    'Error: x',
    '    at f (node:internal/timers:1:1)',
    '    at g (file:///app/node_modules/inner/dist/part.js:1:1)',
    '    at h (/app/node_modules/outer/index.js:2:2)',
  ];
  expect(blamedPlugin(stack.join('\n'), plugins)).toBe('inner');
  expect(blamedPlugin('Error: x\n    at f (file:///app/gw.js:1:1)', plugins)).toBeUndefined();
});
