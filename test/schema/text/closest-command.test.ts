import { expect, it } from 'vitest';
import { closestCommand } from '../../../schema/text/closest-command.ts';

const commands = ['list', 'get', 'create', 'update', 'delete', 'test'];

it.each([
  ['show', 'Did you mean gw providers get?'],
  ['ls', 'Did you mean gw providers list?'],
  ['add', 'Did you mean gw providers create?'],
  ['set', 'Did you mean gw providers update?'],
  ['rm', 'Did you mean gw providers delete?'],
  ['lsit', 'Did you mean gw providers list?'],
  ['frobnicate', 'See gw providers --help.'],
])('closestCommand suggests a command for %s', (given, hint) => {
  expect(closestCommand('gw providers', given, commands)).toBe(hint);
});

it('closestCommand suggests no command that does not exist', () => {
  expect(closestCommand('gw plugin', 'show', ['init', 'check'])).toBe('See gw plugin --help.');
});
