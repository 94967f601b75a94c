import { describe, expect, it } from 'vitest';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { callApply, definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';

/** Hooks as a plugin in plain JavaScript sees them. */
// biome-ignore lint/suspicious/noExplicitAny: The test makes the mistakes that types prevent.
type AnyHooks = any;

const apply = (tapHooks: (hooks: AnyHooks) => void): void =>
  callApply(definePlugin({ name: 'wrong', apply: tapHooks }), createHooks(), {});

describe('callApply', () => {
  it('names the hook that does not exist', () => {
    expect(() => apply((hooks) => hooks.requests.tap('wrong', () => {}))).toThrow(
      'there is no hook "requests". Did you mean "request"?',
    );
    expect(() => apply((hooks) => hooks.onMessage.tap('wrong', () => {}))).toThrow(
      'there is no hook "onMessage". docs/reference/sdk/hooks.md lists all',
    );
  });

  it('lets a plugin look for a hook that only later versions have', () => {
    expect(() => apply((hooks) => hooks.requests?.tap('wrong', () => {}))).not.toThrow();
    const failing = (hooks: AnyHooks): void => {
      hooks.requests?.tap('wrong', () => {});
      hooks.request.tap('wrong', () => {});
      throw new TypeError('No such table.');
    };
    expect(() => apply(failing)).toThrow('No such table.');
  });

  it('names the hook that is tapped without a name or a function', () => {
    const wanted =
      'a tap of the hook "request" needs the name of the plugin and a function: request.tap(name, function)';
    expect(() => apply((hooks) => hooks.request.tap(() => {}))).toThrow(wanted);
    expect(() => apply((hooks) => hooks.request.tap('', () => {}))).toThrow(wanted);
    expect(() => apply((hooks) => hooks.request.tap({ stage: 1 }, () => {}))).toThrow(wanted);
    expect(() => apply((hooks) => hooks.request.tap('wrong'))).toThrow(wanted);
    expect(() => apply((hooks) => hooks.request.tapPromise('wrong', 'later'))).toThrow(wanted);
  });
});
