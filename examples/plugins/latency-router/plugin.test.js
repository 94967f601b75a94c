import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPlugin, testChooser } from 'gatewright/testing';
import { latencyRouter } from './plugin.js';

/** The chooser, with the options that a gateway file gives. */
const chooser = (options = {}) => {
  const plugin = latencyRouter();
  applyPlugin(plugin, options);
  return plugin.choosers[0];
};

const two = [{}, {}];
const [slow, fast] = [
  { index: 0, answeredMs: 900 },
  { index: 1, answeredMs: 100 },
];

test('a target that is much slower than another is not chosen', () =>
  testChooser(chooser(), [{ targets: two, heard: [slow, fast], shares: [0, 1] }]));

test('how much slower it may be is an option', () =>
  testChooser(chooser({ factor: 10 }), [{ targets: two, heard: [slow, fast], shares: [0.4, 0.4] }]));

test('it is tried again after a while', () =>
  testChooser(chooser(), [{ targets: two, heard: [slow, { ...fast, afterMs: 10_001 }], shares: [0.4, 0.4] }]));

test('nobody is left out in favour of a target that fails', () =>
  testChooser(chooser(), [
    { targets: two, heard: [slow, fast, { index: 1, status: 500, answeredMs: 1 }], shares: [0.4, 0.4] },
  ]));

test('one that chooses nothing is found', () => {
  const broken = { ...chooser(), create: () => ({ choose: () => 7, heard: () => {} }) };
  assert.throws(() => testChooser(broken), /it chose position 7 of 2 targets/);
});
