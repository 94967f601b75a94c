import { useSignal } from '@preact/signals';
import { useChange } from '../../api/change.ts';
import { changedMembers } from '../../api/changed-members.ts';
import { post } from '../../api/client.ts';
import { changeRecord, type SavedRecord } from '../../api/saved-record.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { SaveRefusal } from '../../components/save-refusal.tsx';
import { texts } from '../../texts/guardrails.ts';
import { CheckFields, type CheckKind, findCheck } from './check-fields.tsx';
import { type CheckDraft, type ReadChecks, readChecks, toCheckDraft } from './parameters.ts';
import { TryGuardrail } from './try-guardrail.tsx';

/** A saved guardrail, with placeholders instead of its secrets. */
export interface SavedGuardrail {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly workspace_id: string | null;
  readonly last_updated_at: number;
  readonly checks: readonly { readonly id: string; readonly parameters?: Readonly<Record<string, unknown>> }[];
  readonly actions: Readonly<Record<string, unknown>>;
}

export interface EditGuardrailProps {
  readonly kinds: readonly CheckKind[];
  readonly before?: SavedRecord<SavedGuardrail> | undefined;
  readonly onClose: () => void;
  readonly onSaved: (slug: string) => void;
}

const flags = ['deny', 'sequential', 'async'] as const;

const newCheck: CheckDraft = { id: '', fields: {} };

/** A dialog that saves a guardrail and can try its checks first. */
export const EditGuardrail = ({ kinds, before: record, onClose, onSaved }: EditGuardrailProps) => {
  const before = record?.item;
  const name = useSignal(before?.name ?? '');
  const slug = useSignal('');
  const toShape = (id: string) => findCheck(kinds, id)?.parameters;
  const drafts = before?.checks.map((check) => toCheckDraft(check, toShape(check.id))) ?? [newCheck];
  const checks = useSignal<readonly CheckDraft[]>(drafts);
  const actions = useSignal<Readonly<Record<string, unknown>>>(before?.actions ?? { deny: true });
  const failed = useSignal<Extract<ReadChecks, { kind: 'failed' }> | undefined>(undefined);
  const { isBusy, refusal: error, make } = useChange();

  const read = () => {
    const found = readChecks(checks.value, toShape);
    failed.value = found.kind === 'failed' ? found : undefined;
    return found.kind === 'read' ? found.checks : undefined;
  };
  const save = async (seen: SavedRecord<object> | undefined = record): Promise<void> => {
    const found = read();
    if (found === undefined || isBusy.value) return;
    const members = { name: name.value.trim(), checks: found, actions: actions.value };
    await make(async () => {
      const saved = await (before === undefined || seen === undefined
        ? post<{ readonly slug: string }>('/guardrails', {
            ...members,
            ...(slug.value.trim() === '' ? {} : { slug: slug.value.trim() }),
          })
        : changeRecord<{ readonly slug: string }>(
            `/guardrails/${before.slug}`,
            changedMembers(members, { ...before, ...readChecks(drafts, toShape) }),
            seen,
          ));
      onSaved(saved.slug);
    });
  };
  const problemAt = (pointer: string): string | undefined => {
    const found = error.value?.at(pointer);
    return found === undefined ? undefined : `${found.message} ${found.hint}`;
  };

  return (
    <Dialog
      title={before === undefined ? texts.addTitle : texts.editTitle(before.name)}
      onClose={onClose}
      size="wide"
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" isBusy={isBusy.value} onClick={() => void save()}>
            {texts.save}
          </Button>
        </>
      }
    >
      <div class="form">
        <Field label={texts.name} error={problemAt('/name')}>
          {(control) => (
            <input
              {...control}
              class="input"
              value={name.value}
              onInput={({ currentTarget }) => {
                name.value = currentTarget.value;
              }}
            />
          )}
        </Field>
        {before === undefined && (
          <Field label={texts.slug} hint={texts.slugHint} error={problemAt('/slug')}>
            {(control) => (
              <input
                {...control}
                class="input"
                value={slug.value}
                onInput={({ currentTarget }) => {
                  slug.value = currentTarget.value;
                }}
              />
            )}
          </Field>
        )}
        {checks.value.map((draft, at) => (
          <CheckFields
            key={`${at}`}
            at={at}
            draft={draft}
            kinds={kinds}
            failed={failed.value}
            error={error.value}
            onChange={(next) => {
              checks.value = checks.value.map((each, index) => (index === at ? next : each));
            }}
            onRemove={
              checks.value.length === 1
                ? undefined
                : () => {
                    checks.value = checks.value.filter((_, index) => index !== at);
                  }
            }
          />
        ))}
        <div>
          <Button
            size="small"
            onClick={() => {
              checks.value = [...checks.value, newCheck];
            }}
          >
            {texts.addCheck}
          </Button>
        </div>
        {flags.map((flag) => (
          <label key={flag} class="check">
            <input
              type="checkbox"
              checked={actions.value[flag] === true}
              onChange={({ currentTarget }) => {
                const { [flag]: _, ...others } = actions.value;
                actions.value = currentTarget.checked ? { ...others, [flag]: true } : others;
              }}
            />
            {texts[flag]}
          </label>
        ))}
        <SaveRefusal refusal={error.value} onOverwrite={(seen) => void save(seen)} />
        {may('completions.write', 'guardrails.read') && (
          <details>
            <summary>{texts.tryDraft}</summary>
            <TryGuardrail
              toBody={() => {
                const found = read();
                return found === undefined ? undefined : { checks: found, actions: actions.value };
              }}
            />
          </details>
        )}
      </div>
    </Dialog>
  );
};
