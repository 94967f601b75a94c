import { useSignal } from '@preact/signals';
import { useChange } from '../../api/change.ts';
import { changedMembers } from '../../api/changed-members.ts';
import { post } from '../../api/client.ts';
import { changeRecord, type SavedRecord } from '../../api/saved-record.ts';
import { session } from '../../api/session.ts';
import { ChoiceField } from '../../components/choice-field.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts } from '../../texts/keys.ts';
import { type Key, keyPath, type ShownKey } from './key.ts';
import {
  emptyFields,
  type FieldErrors,
  fieldErrors,
  type KeyFields,
  presetScopes,
  toBody,
  toFields,
} from './key-fields.ts';
import { ScopeChoice } from './scope-choice.tsx';

export interface KeyFormProps {
  /** The key that is edited; absent for a new one. */
  readonly edited?: SavedRecord<Key>;
  readonly onClose: () => void;
  /** Called after a new key was created. */
  readonly onMade: (made: ShownKey, name: string) => void;
  readonly onSaved: (name: string) => void;
}

interface FormPartProps {
  readonly fields: KeyFields;
  readonly errors: FieldErrors;
  readonly change: (changes: Partial<KeyFields>) => void;
}

const Access = ({ fields, errors, change, isNew }: FormPartProps & { readonly isNew: boolean }) => {
  const own = session.value?.scopes ?? [];
  const offered = [...new Set([...own, ...fields.scopes])].sort();
  return (
    <>
      {isNew && (
        <ChoiceField
          label={texts.form.access}
          hint={texts.form.accessHint}
          options={texts.form.presets}
          value={fields.preset}
          onChange={(preset) => change({ preset, scopes: presetScopes(preset, own, fields.scopes) })}
        />
      )}
      {fields.preset === 'custom' && (
        <ScopeChoice offered={offered} chosen={fields.scopes} onChange={(scopes) => change({ scopes })} />
      )}
      {errors.scopes !== undefined && <p class="field-error">{errors.scopes}</p>}
    </>
  );
};

const Limits = ({ fields, errors, change }: FormPartProps) => (
  <>
    <div class="form-row">
      <TextField
        label={texts.form.budget}
        hint={texts.form.budgetHint}
        error={errors.budget}
        inputMode="decimal"
        value={fields.budget}
        onInput={(budget) => change({ budget })}
      />
      <ChoiceField
        label={texts.form.budgetType}
        options={texts.form.budgetTypes}
        value={fields.budgetType}
        onChange={(budgetType) => change({ budgetType })}
      />
      <ChoiceField
        label={texts.form.reset}
        options={texts.form.resets}
        value={fields.reset}
        onChange={(reset) => change({ reset })}
      />
    </div>
    <div class="form-row">
      <TextField
        label={texts.form.rate}
        hint={texts.form.rateHint}
        error={errors.rate}
        inputMode="numeric"
        value={fields.rate}
        onInput={(rate) => change({ rate })}
      />
      <ChoiceField
        label={texts.form.rateType}
        options={texts.form.rateTypes}
        value={fields.rateType}
        onChange={(rateType) => change({ rateType })}
      />
      <ChoiceField
        label={texts.form.rateUnit}
        options={texts.form.rateUnits}
        value={fields.rateUnit}
        onChange={(rateUnit) => change({ rateUnit })}
      />
    </div>
  </>
);

/** The dialog that creates or edits a key. */
export const KeyForm = ({ edited: record, onClose, onMade, onSaved }: KeyFormProps) => {
  const edited = record?.item;
  const own = session.value?.scopes ?? [];
  const fields = useSignal<KeyFields>(
    edited === undefined ? { ...emptyFields, scopes: presetScopes('application', own, []) } : toFields(edited),
  );
  const errors = useSignal<FieldErrors>({});
  const saving = useChange();
  const change = (changes: Partial<KeyFields>): void => {
    fields.value = { ...fields.value, ...changes };
  };
  const save = async (seen: SavedRecord<object> | undefined = record): Promise<void> => {
    errors.value = fieldErrors(fields.value, Date.now(), edited);
    if (Object.keys(errors.value).length > 0) return;
    const name = fields.value.name.trim();
    await saving.make(async () => {
      if (edited === undefined || seen === undefined)
        onMade(await post<ShownKey>('/api-keys', toBody(fields.value)), name);
      else {
        const body = changedMembers(toBody(fields.value, edited), toBody(toFields(edited), edited));
        await changeRecord(keyPath(edited), body, seen);
        onSaved(name);
      }
    });
  };
  const part = { fields: fields.value, errors: errors.value, change };
  const others = (edited?.rate_limits.length ?? 0) - 1;
  return (
    <FormDialog
      title={edited === undefined ? texts.form.createTitle : texts.form.editTitle(edited.name)}
      action={edited === undefined ? texts.create : texts.form.save}
      change={saving}
      onClose={onClose}
      onSave={save}
    >
      <TextField
        label={texts.form.name}
        hint={texts.form.nameHint}
        error={errors.value.name}
        value={fields.value.name}
        onInput={(name) => change({ name })}
      />
      {edited === undefined && session.value?.principal.reach === 'organisation' && (
        <ChoiceField
          label={texts.form.kind}
          options={texts.form.kinds}
          value={fields.value.kind}
          onChange={(kind) => change({ kind })}
        />
      )}
      <Access {...part} isNew={edited === undefined} />
      <TextField
        label={texts.form.expires}
        hint={texts.form.expiresHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        error={errors.value.expires}
        type="datetime-local"
        value={fields.value.expires}
        onInput={(expires) => change({ expires })}
      />
      <Limits {...part} />
      {others > 0 && <p class="muted">{texts.form.otherRates(others)}</p>}
    </FormDialog>
  );
};
