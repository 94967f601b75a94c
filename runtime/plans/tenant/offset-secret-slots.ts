import type { CheckCall, LeafNode, SecretValue, Stage } from '../../../schema/plan/plan.ts';

const shifted = (secret: SecretValue, by: number): SecretValue =>
  secret.kind === 'slot' ? { ...secret, slot: secret.slot + by } : secret;

const shiftedCall = ({ secrets, ...call }: CheckCall, by: number): CheckCall =>
  secrets === undefined
    ? call
    : {
        ...call,
        secrets: Object.fromEntries(Object.entries(secrets).map(([place, secret]) => [place, shifted(secret, by)])),
      };

const shiftedStage = (stage: Stage, by: number): Stage => {
  if (stage.kind !== 'input-checks' && stage.kind !== 'output-checks') return stage;
  const [first, ...others] = stage.hooks.map((hook) => ({
    ...hook,
    checks: hook.checks.map((call) => shiftedCall(call, by)),
  }));
  return first === undefined ? stage : { ...stage, hooks: [first, ...others] };
};

/** A leaf whose checks find their secrets behind `by` others. */
export const offsetSecretSlots = (leaf: LeafNode, by: number): LeafNode =>
  by === 0 ? leaf : { ...leaf, stages: leaf.stages.map((stage) => shiftedStage(stage, by)) };
