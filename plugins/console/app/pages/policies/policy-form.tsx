import { useSignal } from '@preact/signals';
import { useChange } from '../../api/change.ts';
import { changedMembers } from '../../api/changed-members.ts';
import { post } from '../../api/client.ts';
import { findKey } from '../../api/key-choices.ts';
import { changeRecord, type SavedRecord } from '../../api/saved-record.ts';
import { may } from '../../api/session.ts';
import { type WithWarnings, warningsIn } from '../../api/warnings.ts';
import { ChoiceField } from '../../components/choice-field.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts } from '../../texts/policies.ts';
import { texts as shell } from '../../texts/shell.ts';
import { KeyField } from './key-field.tsx';
import { type Policy, policyPath } from './policy.ts';
import {
  emptyPolicy,
  type PolicyErrors,
  type PolicyFields,
  type PolicyKind,
  policyErrors,
  toPolicyBody,
  toPolicyFields,
} from './policy-fields.ts';

interface PartProps {
  readonly fields: PolicyFields;
  readonly errors: PolicyErrors;
  readonly change: (changes: Partial<PolicyFields>) => void;
}

/** Whether keys are chosen by name. A session that may not list keys writes the id. */
const isKeyNamed = ({ subject }: PolicyFields): boolean => subject === 'api_key' && may('keys.list');

const Value = ({ fields, errors, change }: PartProps) => {
  if (fields.subject === 'every') return null;
  if (isKeyNamed(fields))
    return <KeyField value={fields.value} error={errors.value} onChange={(value) => change({ value })} />;
  return (
    <TextField
      label={texts.form.values[fields.subject]}
      hint={fields.subject === 'api_key' ? shell.keyIdHint : texts.form.valueHint}
      error={errors.value}
      value={fields.value}
      onInput={(value) => change({ value })}
    />
  );
};

/** The fields for the requests that a policy applies to, and for what it counts separately. */
const Scope = (part: PartProps) => {
  const { fields, errors, change } = part;
  return (
    <>
      <ChoiceField
        label={texts.form.subject}
        options={texts.form.subjects}
        value={fields.subject}
        onChange={(subject) => change({ subject, value: '' })}
      />
      {fields.subject === 'metadata' && (
        <TextField
          label={texts.form.label}
          error={errors.label}
          value={fields.label}
          onInput={(label) => change({ label })}
        />
      )}
      <Value {...part} />
      <ChoiceField
        label={texts.form.group}
        options={texts.form.groups}
        value={fields.group}
        onChange={(group) => change({ group })}
      />
      {fields.group === 'metadata' && (
        <TextField
          label={texts.form.groupLabel}
          error={errors.groupLabel}
          value={fields.groupLabel}
          onInput={(groupLabel) => change({ groupLabel })}
        />
      )}
    </>
  );
};

const BudgetAmount = ({ fields, errors, change, isNew }: PartProps & { readonly isNew: boolean }) => (
  <>
    <div class="form-row">
      <TextField
        label={texts.form.budget}
        error={errors.amount}
        inputMode="decimal"
        value={fields.amount}
        onInput={(amount) => change({ amount })}
      />
      {isNew && (
        <ChoiceField
          label={texts.form.type}
          options={texts.form.budgetTypes}
          value={fields.budgetType}
          onChange={(budgetType) => change({ budgetType })}
        />
      )}
      <ChoiceField
        label={texts.form.period}
        options={texts.form.periods}
        value={fields.period}
        onChange={(period) => change({ period })}
      />
    </div>
    <TextField
      label={texts.form.alert}
      hint={texts.form.alertHint}
      error={errors.alert}
      inputMode="decimal"
      value={fields.alert}
      onInput={(alert) => change({ alert })}
    />
  </>
);

const RateAmount = ({ fields, errors, change, isNew }: PartProps & { readonly isNew: boolean }) => (
  <div class="form-row">
    <TextField
      label={texts.form.rate}
      error={errors.amount}
      inputMode="numeric"
      value={fields.amount}
      onInput={(amount) => change({ amount })}
    />
    {isNew && (
      <ChoiceField
        label={texts.form.type}
        options={texts.form.rateTypes}
        value={fields.rateType}
        onChange={(rateType) => change({ rateType })}
      />
    )}
    <ChoiceField
      label={texts.form.unit}
      options={texts.form.unitNames}
      value={fields.unit}
      onChange={(unit) => change({ unit })}
    />
  </div>
);

export interface PolicyFormProps {
  readonly kind: PolicyKind;
  /** The policy that is edited; absent for a new one. */
  readonly edited?: SavedRecord<Policy>;
  readonly onClose: () => void;
  /** `warnings` are sentences. */
  readonly onSaved: (name: string, warnings: readonly string[]) => void;
}

const toTitle = ({ kind, edited }: PolicyFormProps): string => {
  if (edited !== undefined) return texts.form.editTitle(edited.item.name ?? texts.unnamed);
  return kind === 'budget' ? texts.form.budgetTitle : texts.form.rateTitle;
};

/** Replaces the name of a key by its id. Returns the error of the field if no key has the name, or several have. */
const withKeyId = async (fields: PolicyFields): Promise<PolicyFields | string> => {
  if (!isKeyNamed(fields)) return fields;
  const found = await findKey(fields.value);
  return 'error' in found ? found.error : { ...fields, value: found.id };
};

/** The dialog that creates or edits a budget or a rate limit. */
export const PolicyForm = (props: PolicyFormProps) => {
  const { kind, edited: record, onClose, onSaved } = props;
  const edited = record?.item;
  const fields = useSignal<PolicyFields>(edited === undefined ? emptyPolicy : toPolicyFields(edited));
  const errors = useSignal<PolicyErrors>({});
  const saving = useChange();
  const isNew = edited === undefined;
  const save = async (seen: SavedRecord<object> | undefined = record): Promise<void> => {
    errors.value = policyErrors(fields.value, kind, isNew);
    if (Object.keys(errors.value).length > 0) return;
    const toBody = (each: PolicyFields): object => toPolicyBody(each, kind, edited);
    await saving.make(async () => {
      const written = isNew ? await withKeyId(fields.value) : fields.value;
      if (typeof written === 'string') {
        errors.value = { value: written };
        return;
      }
      const answer = await (edited !== undefined && seen !== undefined
        ? changeRecord<WithWarnings>(
            policyPath(edited),
            changedMembers(toBody(written), toBody(toPolicyFields(edited))),
            seen,
          )
        : post<WithWarnings>(kind === 'budget' ? '/policies/usage-limits' : '/policies/rate-limits', toBody(written)));
      onSaved(fields.value.name.trim() || texts.unnamed, warningsIn(answer));
    });
  };
  const part: PartProps = {
    fields: fields.value,
    errors: errors.value,
    change: (changes) => {
      fields.value = { ...fields.value, ...changes };
    },
  };
  return (
    <FormDialog title={toTitle(props)} action={texts.form.save} change={saving} onClose={onClose} onSave={save}>
      <TextField label={texts.form.name} value={fields.value.name} onInput={(name) => part.change({ name })} />
      {isNew && <Scope {...part} />}
      {kind === 'budget' ? <BudgetAmount {...part} isNew={isNew} /> : <RateAmount {...part} isNew={isNew} />}
    </FormDialog>
  );
};
