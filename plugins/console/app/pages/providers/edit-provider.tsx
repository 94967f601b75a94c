import { useSignal } from '@preact/signals';
import { useChange } from '../../api/change.ts';
import { changedMembers } from '../../api/changed-members.ts';
import { post } from '../../api/client.ts';
import { changeRecord, type SavedRecord } from '../../api/saved-record.ts';
import { type WithWarnings, warningsIn } from '../../api/warnings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { SaveRefusal } from '../../components/save-refusal.tsx';
import { Notice } from '../../components/states.tsx';
import { texts } from '../../texts/providers.ts';
import {
  emptyDraft,
  hasCredential,
  isJsonSetting,
  type MissingFields,
  missingFields,
  type ProviderDraft,
  type ProviderKind,
  readDraft,
  type SavedProvider,
  toDraft,
} from './provider-form.ts';

export interface EditProviderProps {
  readonly kinds: readonly ProviderKind[];
  /** The provider that is edited; absent for a new one. */
  readonly before?: SavedRecord<SavedProvider> | undefined;
  readonly onClose: () => void;
  /** `warnings` are sentences. */
  readonly onSaved: (slug: string, warnings: readonly string[]) => void;
}

/** The response to a change. */
interface SavedReference extends WithWarnings {
  readonly data?: { readonly slug?: string };
}

/** Lists the settings that a form shows: the address first, then those of the service. */
const settingNames = (kind: ProviderKind): readonly string[] => {
  const names = Object.keys(kind.settings.properties ?? {}).filter((name) => name !== 'unknown_ids');
  return ['custom_host', ...names.filter((name) => name !== 'custom_host')];
};

/** Returns what the form sends if nothing in it is edited. */
const untouched = (before: SavedProvider, kind: ProviderKind | undefined): object => {
  const read = readDraft(toDraft(before), kind, before);
  return read.kind === 'read' ? read.body : {};
};

const noneMissing: MissingFields = { name: false, credential: false };

/** A dialog that saves a provider. Its fields depend on the service. */
export const EditProvider = ({ kinds, before: record, onClose, onSaved }: EditProviderProps) => {
  const before = record?.item;
  const draft = useSignal<ProviderDraft>(before === undefined ? emptyDraft : toDraft(before));
  const badSetting = useSignal('');
  const isUnknown = useSignal(false);
  const missing = useSignal(noneMissing);
  const { isBusy, refusal: error, make } = useChange();
  const now = draft.value;
  const kind = kinds.find(({ id }) => id === now.provider);
  const isOfIntegration = before !== undefined && before.integration_id !== null;
  const change = (members: Partial<ProviderDraft>): void => {
    draft.value = { ...draft.value, ...members };
  };
  const problemAt = (pointer: string): string | undefined => {
    const found = error.value?.at(pointer);
    return found === undefined ? undefined : `${found.message} ${found.hint}`;
  };
  const credentialFields = kind === undefined || isOfIntegration ? [] : kind.credential_fields;
  const settings = kind === undefined || isOfIntegration ? [] : settingNames(kind);
  /** Shows a problem of the credential as a whole at its first field. */
  const problemOfCredential = (field: string): string | undefined => {
    if (problemAt(`/credential/${field}`) !== undefined || field !== credentialFields[0])
      return problemAt(`/credential/${field}`);
    const problem = problemAt('/credential');
    const isMissing = missing.value.credential || (problem !== undefined && !hasCredential(now));
    return isMissing ? texts.missingCredential : problem;
  };
  const places = new Set([
    ...(before === undefined ? ['/provider', '/slug'] : []),
    ...['/name', '/note'],
    ...credentialFields.flatMap((field) => ['/credential', `/credential/${field}`]),
    ...settings.map((name) => `/settings/${name}`),
  ]);

  const save = async (seen: SavedRecord<object> | undefined = record): Promise<void> => {
    isUnknown.value = before === undefined && kind === undefined;
    missing.value = missingFields(now, kind, before);
    if (isUnknown.value || missing.value.name || missing.value.credential || isBusy.value) return;
    const read = readDraft(now, kind, before);
    badSetting.value = read.kind === 'failed' ? read.setting : '';
    if (read.kind === 'failed') return;
    await make(async () => {
      const answer = await (before === undefined || seen === undefined
        ? post<SavedReference>('/providers', read.body)
        : changeRecord<SavedReference>(
            `/providers/${before.slug}`,
            changedMembers(read.body, untouched(before, kind)),
            seen,
          ));
      onSaved(answer.data?.slug ?? before?.slug ?? now.slug, warningsIn(answer));
    });
  };

  const text = (member: 'name' | 'slug' | 'note', hint?: string) => (
    <Field
      label={texts[member]}
      error={member === 'name' && missing.value.name ? texts.missingName : problemAt(`/${member}`)}
      {...(hint === undefined ? {} : { hint })}
    >
      {(control) => (
        <input
          {...control}
          class="input"
          autocomplete="off"
          value={now[member]}
          onInput={({ currentTarget }) => change({ [member]: currentTarget.value })}
        />
      )}
    </Field>
  );

  return (
    <Dialog
      title={before === undefined ? texts.addTitle : texts.editTitle(before.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" isBusy={isBusy.value} onClick={() => void save()}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {before === undefined && (
          <Field
            label={texts.service}
            hint={texts.serviceHint}
            error={isUnknown.value ? texts.unknownService : problemAt('/provider')}
          >
            {(control) => (
              <>
                <input
                  {...control}
                  class="input"
                  list="provider-kinds"
                  autocomplete="off"
                  value={now.provider}
                  onInput={({ currentTarget }) => change({ provider: currentTarget.value.trim() })}
                />
                <datalist id="provider-kinds">
                  {kinds.map(({ id }) => (
                    <option key={id} value={id} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        )}
        {text('name')}
        {before === undefined && text('slug', texts.slugHint)}
        {isOfIntegration && <Notice>{texts.integrationNote}</Notice>}
        {kind !== undefined && !isOfIntegration && (
          <>
            {credentialFields.map((field) => (
              <Field
                key={field}
                label={field}
                hint={before?.credential[field] === undefined ? texts.secretHint : texts.keptSecret}
                error={problemOfCredential(field)}
              >
                {(control) => (
                  <input
                    {...control}
                    class="input mono"
                    type="password"
                    autocomplete="new-password"
                    value={now.credential[field] ?? ''}
                    onInput={({ currentTarget }) =>
                      change({ credential: { ...draft.value.credential, [field]: currentTarget.value } })
                    }
                  />
                )}
              </Field>
            ))}
            <details
              open={
                kind.needs_address ||
                Object.keys(now.settings).length > 0 ||
                settings.some((name) => problemAt(`/settings/${name}`) !== undefined)
              }
            >
              <summary>{texts.settings}</summary>
              <div class="form">
                {kind.needs_address && <p class="muted">{texts.needsAddress}</p>}
                {settings.map((name) => {
                  const schema = kind.settings.properties?.[name] ?? {};
                  const isJson = isJsonSetting(schema, before?.settings[name]);
                  const hint = [schema.description ?? '', isJson ? texts.settingsJson : ''].join(' ').trim();
                  return (
                    <Field
                      key={name}
                      label={name}
                      error={badSetting.value === name ? texts.invalidJson : problemAt(`/settings/${name}`)}
                      {...(hint === '' ? {} : { hint })}
                    >
                      {(control) => (
                        <input
                          {...control}
                          class="input"
                          autocomplete="off"
                          value={now.settings[name] ?? ''}
                          onInput={({ currentTarget }) =>
                            change({ settings: { ...draft.value.settings, [name]: currentTarget.value } })
                          }
                        />
                      )}
                    </Field>
                  );
                })}
              </div>
            </details>
            {kind.documentation !== undefined && (
              <p>
                <a href={kind.documentation} target="_blank" rel="noreferrer noopener">
                  {texts.documentation}
                </a>
              </p>
            )}
          </>
        )}
        {text('note')}
        <SaveRefusal
          refusal={error.value}
          isAtField={(pointer) => places.has(pointer)}
          onOverwrite={(seen) => void save(seen)}
        />
        <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">
          {texts.save}
        </button>
      </form>
    </Dialog>
  );
};
