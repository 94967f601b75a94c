import { texts } from '../../texts/policies.ts';
import type { Policy } from './policy.ts';

export type PolicyKind = 'budget' | 'rate';
export type Subject = keyof typeof texts.form.subjects;

/** The fields of the form, as typed. */
export interface PolicyFields {
  readonly name: string;
  readonly subject: Subject;
  readonly label: string;
  readonly value: string;
  readonly group: keyof typeof texts.form.groups;
  readonly groupLabel: string;
  readonly amount: string;
  readonly budgetType: keyof typeof texts.form.budgetTypes;
  readonly rateType: keyof typeof texts.form.rateTypes;
  readonly unit: keyof typeof texts.form.unitNames;
  readonly alert: string;
  readonly period: keyof typeof texts.form.periods;
}

export type PolicyErrors = Partial<Record<keyof PolicyFields, string>>;

export const emptyPolicy: PolicyFields = {
  name: '',
  subject: 'every',
  label: '',
  value: '',
  group: 'api_key',
  groupLabel: '',
  amount: '',
  budgetType: 'cost',
  rateType: 'requests',
  unit: 'rpm',
  alert: '',
  period: 'monthly',
};

/** Returns the fields for editing a policy. Its conditions and groups cannot be changed. */
export const toPolicyFields = (policy: Policy): PolicyFields => ({
  ...emptyPolicy,
  name: policy.name ?? '',
  ...(policy.object === 'policy_usage_limits'
    ? {
        amount: String(policy.credit_limit),
        budgetType: policy.type,
        alert: policy.alert_threshold === null ? '' : String(policy.alert_threshold),
        period: policy.periodic_reset ?? 'never',
      }
    : { amount: String(policy.value), rateType: policy.type, unit: policy.unit }),
});

const readNumber = (text: string): number | undefined =>
  /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text.trim()) : undefined;

/** Returns the errors that the form shows without a request to the gateway. */
export const policyErrors = (fields: PolicyFields, kind: PolicyKind, isNew: boolean): PolicyErrors => {
  const { errors } = texts.form;
  const amount = readNumber(fields.amount);
  const isWhole = kind === 'rate' || fields.budgetType === 'tokens';
  const isAmountWrong = amount === undefined || (isWhole && !Number.isSafeInteger(amount));
  const alert = fields.alert.trim() === '' ? undefined : readNumber(fields.alert);
  const isAlertWrong = fields.alert.trim() !== '' && (alert === undefined || (amount !== undefined && alert >= amount));
  const labelled = fields.subject === 'metadata' && fields.label.trim() === '';
  const grouped = fields.group === 'metadata' && fields.groupLabel.trim() === '';
  return {
    ...(isAmountWrong ? { amount: isWhole ? errors.whole : errors.amount } : {}),
    ...(kind === 'budget' && isAlertWrong ? { alert: errors.alert } : {}),
    ...(isNew && fields.subject !== 'every' && fields.value.trim() === '' ? { value: errors.value } : {}),
    ...(isNew && labelled ? { label: errors.label } : {}),
    ...(isNew && grouped ? { groupLabel: errors.label } : {}),
  };
};

const toLimit = (fields: PolicyFields, kind: PolicyKind, isNew: boolean, days: number | null): object => {
  const amount = readNumber(fields.amount) ?? 0;
  if (kind === 'rate') return { ...(isNew ? { type: fields.rateType } : {}), unit: fields.unit, value: amount };
  const alert = readNumber(fields.alert);
  return {
    ...(isNew ? { type: fields.budgetType } : {}),
    credit_limit: amount,
    ...(isNew && alert === undefined ? {} : { alert_threshold: alert ?? null }),
    // Keeps a period in days, which the form does not show.
    ...(days !== null && fields.period === 'never'
      ? {}
      : {
          periodic_reset: fields.period === 'never' ? null : fields.period,
          ...(days === null ? {} : { periodic_reset_days: null }),
        }),
  };
};

/** Returns the request body that creates a policy, or changes `before`. */
export const toPolicyBody = (fields: PolicyFields, kind: PolicyKind, before?: Policy): object => {
  const name = fields.name.trim();
  const days = before?.object === 'policy_usage_limits' ? before.periodic_reset_days : null;
  if (before !== undefined) return { name: name === '' ? null : name, ...toLimit(fields, kind, false, days) };
  const subject = fields.subject === 'metadata' ? `metadata.${fields.label.trim()}` : fields.subject;
  const condition =
    fields.subject === 'every' ? { key: 'workspace_id', value: '*' } : { key: subject, value: fields.value.trim() };
  const group = fields.group === 'metadata' ? `metadata.${fields.groupLabel.trim()}` : fields.group;
  return {
    ...(name === '' ? {} : { name }),
    conditions: [condition],
    group_by: [{ key: group }],
    ...toLimit(fields, kind, true, null),
  };
};
