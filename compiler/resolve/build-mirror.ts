import { findCheck } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Config, OutputGuardrail } from '../../schema/generated/config.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { closest, suggestion } from '../diagnostics/closest.ts';
import type { SoundItem } from '../schema-errors/usable-parts.ts';
import { buildLeaf } from './build-leaf.ts';
import { buildSettings } from './build-settings.ts';
import type { CompileContext } from './context/compile-context.ts';
import { checkName } from './hooks/build-check.ts';
import { buildGuardrail } from './hooks/build-guardrail.ts';
import { guardrailHook } from './hooks/guardrail-hook.ts';
import type { IrHook } from './tree/ir-hook.ts';
import type { IrMirror, IrNode } from './tree/ir-node.ts';

/** The members that have no effect on a mirror's target, and why. */
const unused = {
  retry: 'a copy is sent once',
  cache: 'a copy is sent to be answered by its target',
  cb_config: 'the answer of a mirror does not affect which target is chosen',
  prompt_id: 'a copy has the prompt of the original request',
  before_request_hooks: 'a copy was checked when the original request was',
  input_guardrails: 'a copy was checked when the original request was',
  after_request_hooks: 'its answer is judged by the "checks" of the mirror',
  output_guardrails: 'its answer is judged by the "checks" of the mirror',
  mirror: 'a copy is not copied',
  deadline_ms: 'nobody waits for it',
  max_cost_usd: 'it applies only to the request of the client',
} as const satisfies { readonly [Field in keyof Config]?: string };

type Unused = keyof typeof unused;

const isUnused = (field: string): field is Unused => Object.hasOwn(unused, field);

/** Reports the members that have no effect, and returns the target without them. */
const usedMembers = (target: Config, pointer: JsonPointer, { reporter }: CompileContext): Config => {
  const members = Object.entries(target).filter(([field]) => {
    if (!isUnused(field)) return true;
    reporter.report(
      'mirror-setting',
      { pointer: childPointer(pointer, field), part: 'key' },
      { setting: field, why: unused[field] },
    );
    return false;
  });
  return Object.fromEntries(members);
};

/** Builds a hook from a text that is not a saved guardrail, but the name of a check whose parameters have defaults. */
const checkByName = (
  { value, pointer, index }: SoundItem<OutputGuardrail>,
  context: CompileContext,
): IrHook | 'unknown' | undefined => {
  const { catalogue, saved, reporter, missing, trust } = context;
  if (typeof value !== 'string' || lookUp(saved.guardrails, value) !== undefined) return undefined;
  if (findCheck(catalogue, checkName(value)) !== undefined) {
    const shownAt = { pointer, part: 'value' } as const;
    return guardrailHook(
      { value: { [value]: {} }, pointer, id: `mirror_check_${index + 1}`, phase: 'output', shownAt },
      context,
    );
  }
  missing.push({ kind: 'guardrails', name: value, at: pointer });
  // A caller is not shown what others have saved.
  const slugs = trust === 'caller' ? [] : Object.keys(saved.guardrails);
  const near = closest(value, slugs);
  const ids = [...new Set([...catalogue.checks.values()].map(({ id }) => id))];
  reporter.report(
    'unknown-mirror-check',
    { pointer, part: 'value' },
    { name: value, suggestion: near === undefined ? suggestion(checkName(value), ids) : `Did you mean "${near}"?` },
  );
  return 'unknown';
};

/** Returns the same hook as one that decides nothing and only reports its results. */
const asJudge = (hook: IrHook): IrHook => ({
  ...hook,
  type: 'guardrail',
  async: false,
  deny: { onFail: false, onSuccess: false },
  feedback: {},
  checks: hook.checks.map(({ retries: _retries, ...check }) => check),
});

const reportDenial = (hook: IrHook, { pointer }: { readonly pointer: JsonPointer }, context: CompileContext): void => {
  if (hook.savedAs !== undefined || !(hook.deny.onFail || hook.deny.onSuccess)) return;
  context.reporter.report(
    'no-effect',
    { pointer, part: 'value' },
    { setting: 'deny', why: 'nobody receives the answer of a mirror', suggestion: 'Remove "deny".' },
  );
};

const buildChecks = (
  checks: readonly OutputGuardrail[] | undefined,
  pointer: JsonPointer,
  context: CompileContext,
): readonly IrHook[] =>
  context.sound.items(checks, pointer).flatMap((item) => {
    const named = checkByName(item, context);
    if (named === 'unknown') return [];
    const hook = named ?? buildGuardrail(item, 'output', context);
    if (hook === undefined) return [];
    reportDenial(hook, item, context);
    return [asJudge(hook)];
  });

/** Returns where copies of a config's requests go; undefined if nowhere, or if what is stated there cannot be a target. */
export const buildMirror = (
  { mirror }: Config,
  pointer: JsonPointer,
  context: CompileContext,
): IrMirror | undefined => {
  const at = childPointer(pointer, 'mirror');
  const targetAt = childPointer(at, 'target');
  const { sound, reporter } = context;
  if (mirror === undefined || sound.isUnusable(at)) return undefined;
  const hooks = buildChecks(mirror.checks, childPointer(at, 'checks'), context);
  if (sound.isUnusable(targetAt) || sound.isUnusable(childPointer(at, 'percent'))) return undefined;
  if (mirror.target.targets !== undefined || mirror.target.strategy !== undefined) {
    reporter.report('mirror-of-group', { pointer: targetAt, part: 'value' }, {});
    return undefined;
  }
  const config = usedMembers(mirror.target, targetAt, context);
  const own = {
    ...buildSettings(config, targetAt, context),
    ...(hooks.length === 0 ? {} : { outputHooks: { value: hooks, pointer: at } }),
  };
  const shape = buildLeaf(config, targetAt, context);
  const target: IrNode = { pointer: targetAt, config, own, settings: own, shape, isCopy: true };
  return { pointer: at, percent: mirror.percent, target };
};
