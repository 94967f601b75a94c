import { useSignal } from '@preact/signals';
import { useChange } from '../../api/change.ts';
import { changedMembers } from '../../api/changed-members.ts';
import { post } from '../../api/client.ts';
import type { KeyNames } from '../../api/key-names.ts';
import type { Loader } from '../../api/load.ts';
import { changeRecord, type SavedRecord } from '../../api/saved-record.ts';
import { type WithWarnings, warningsIn } from '../../api/warnings.ts';
import { ChoiceField } from '../../components/choice-field.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { Loaded } from '../../components/states.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts } from '../../texts/policies.ts';
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
  readonly keys: Loader<KeyNames>;
}

const Value = ({ fields, errors, change, keys }: PartProps) => {
  const label = texts.form.values[fields.subject];
  const written = (
    <TextField
      label={label}
      hint={texts.form.valueHint}
      error={errors.value}
      value={fields.value}
      onInput={(value) => change({ value })}
    />
  );
  if (fields.subject === 'every') return null;
  if (fields.subject !== 'api_key') return written;
  return (
    <Loaded state={keys.state} retry={keys.reload}>
      {(names) =>
        names.size === 0 ? (
          written
        ) : (
          <ChoiceField
            label={label}
            error={errors.value}
            options={{ '': texts.form.chooseKey, ...Object.fromEntries(names) }}
            value={fields.value}
            onChange={(value) => change({ value })}
          />
        )
      }
    </Loaded>
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
  readonly keys: Loader<KeyNames>;
  readonly onClose: () => void;
  /** `warnings` are sentences. */
  readonly onSaved: (name: string, warnings: readonly string[]) => void;
}

const toTitle = ({ kind, edited }: PolicyFormProps): string => {
  if (edited !== undefined) return texts.form.editTitle(edited.item.name ?? texts.unnamed);
  return kind === 'budget' ? texts.form.budgetTitle : texts.form.rateTitle;
};

/** The dialog that creates or edits a budget or a rate limit. */
export const PolicyForm = (props: PolicyFormProps) => {
  const { kind, edited: record, keys, onClose, onSaved } = props;
  const edited = record?.item;
  const fields = useSignal<PolicyFields>(edited === undefined ? emptyPolicy : toPolicyFields(edited));
  const errors = useSignal<PolicyErrors>({});
  const saving = useChange();
  const isNew = edited === undefined;
  const save = async (seen: SavedRecord<object> | undefined = record): Promise<void> => {
    errors.value = policyErrors(fields.value, kind, isNew);
    if (Object.keys(errors.value).length > 0) return;
    const toBody = (written: PolicyFields): object => toPolicyBody(written, kind, edited);
    await saving.make(async () => {
      const answer = await (edited !== undefined && seen !== undefined
        ? changeRecord<WithWarnings>(
            policyPath(edited),
            changedMembers(toBody(fields.value), toBody(toPolicyFields(edited))),
            seen,
          )
        : post<WithWarnings>(
            kind === 'budget' ? '/policies/usage-limits' : '/policies/rate-limits',
            toBody(fields.value),
          ));
      onSaved(fields.value.name.trim() || texts.unnamed, warningsIn(answer));
    });
  };
  const part: PartProps = {
    fields: fields.value,
    errors: errors.value,
    keys,
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
