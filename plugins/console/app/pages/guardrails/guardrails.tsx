import './guardrails.css';
import { useSignal } from '@preact/signals';
import { get, remove } from '../../api/client.ts';
import { type ApiError, asApiError } from '../../api/error.ts';
import { useLoaded } from '../../api/load.ts';
import { type List, usePagedList } from '../../api/pages.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SafeText } from '../../parts/safe-text.tsx';
import { EmptyState, ErrorText, Loaded } from '../../parts/states.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showError, showToast } from '../../parts/toast.tsx';
import { texts } from '../../texts/guardrails.ts';
import type { CheckKind } from './check-fields.tsx';
import { EditGuardrail, type SavedGuardrail } from './edit-guardrail.tsx';
import { TryGuardrail } from './try-guardrail.tsx';

type Opened =
  | { readonly kind: 'none' | 'add' }
  | { readonly kind: 'edit' | 'try' | 'remove'; readonly guardrail: SavedGuardrail };

const GuardrailsPage = () => {
  const list = usePagedList<SavedGuardrail>('/guardrails');
  const kinds = useLoaded((signal) => get<List<CheckKind>>('/kinds/checks', { signal }));
  const opened = useSignal<Opened>({ kind: 'none' });
  const error = useSignal<ApiError | undefined>(undefined);
  const open = (next: Opened): void => {
    error.value = undefined;
    opened.value = next;
  };
  const close = (): void => open({ kind: 'none' });
  const now = opened.value;
  const known = kinds.state.value.status === 'ready' ? kinds.state.value.value.data : [];

  // The list is without checks.
  const edit = async ({ slug }: SavedGuardrail): Promise<void> => {
    try {
      open({ kind: 'edit', guardrail: await get<SavedGuardrail>(`/guardrails/${slug}`) });
    } catch (thrown) {
      showError(asApiError(thrown));
    }
  };
  const removeIt = async ({ slug, name }: SavedGuardrail): Promise<void> => {
    try {
      await remove(`/guardrails/${slug}`);
      close();
      showToast(texts.removed(name));
      list.reload();
    } catch (thrown) {
      error.value = asApiError(thrown);
    }
  };
  const saved = (slug: string): void => {
    close();
    showToast(texts.saved(slug));
    list.reload();
  };

  const columns = [
    {
      title: texts.columns.name,
      cell: ({ name, slug }: SavedGuardrail) => (
        <>
          <SafeText text={name} /> <code class="muted">{slug}</code>
        </>
      ),
    },
    {
      title: texts.columns.owner,
      cell: ({ workspace_id }: SavedGuardrail) =>
        workspace_id === null ? texts.owners.organisation : texts.owners.workspace,
    },
    {
      title: texts.columns.changed,
      cell: ({ last_updated_at }: SavedGuardrail) => <Time seconds={last_updated_at} />,
    },
    {
      title: texts.columns.actions,
      isTitleHidden: true,
      cell: (guardrail: SavedGuardrail) => (
        <span class="row">
          {may('completions.write', 'guardrails.read') && (
            <Button size="small" label={texts.tryOf(guardrail.name)} onClick={() => open({ kind: 'try', guardrail })}>
              {texts.try}
            </Button>
          )}
          {may('guardrails.update', 'guardrails.read') && (
            <Button size="small" label={texts.editOf(guardrail.name)} onClick={() => void edit(guardrail)}>
              {texts.edit}
            </Button>
          )}
          {may('guardrails.delete') && (
            <Button
              size="small"
              kind="ghost"
              label={texts.removeOf(guardrail.name)}
              onClick={() => open({ kind: 'remove', guardrail })}
            >
              {texts.remove}
            </Button>
          )}
        </span>
      ),
    },
  ];

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead}>
        {may('guardrails.create') && (
          <Button kind="primary" onClick={() => open({ kind: 'add' })}>
            {texts.add}
          </Button>
        )}
      </PageHeader>
      <Loaded state={list.state} retry={list.reload}>
        {({ data, total }) =>
          total === 0 ? (
            <EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand} />
          ) : (
            <>
              <Table caption={texts.title} columns={columns} rows={data} rowKey={({ id }) => id} />
              <Pager {...list} total={total} />
            </>
          )
        }
      </Loaded>
      {now.kind === 'add' && <EditGuardrail kinds={known} onClose={close} onSaved={saved} />}
      {now.kind === 'edit' && <EditGuardrail kinds={known} before={now.guardrail} onClose={close} onSaved={saved} />}
      {now.kind === 'try' && (
        <Dialog
          title={texts.tryTitle(now.guardrail.name)}
          onClose={close}
          size="wide"
          actions={<Button onClick={close}>{texts.close}</Button>}
        >
          <TryGuardrail toBody={() => ({ guardrail: now.guardrail.slug })} />
        </Dialog>
      )}
      {now.kind === 'remove' && (
        <Confirm
          title={texts.removeTitle(now.guardrail.name)}
          action={texts.remove}
          onConfirm={() => void removeIt(now.guardrail)}
          onClose={close}
        >
          <p>{texts.removeText}</p>
          <div aria-live="polite">{error.value !== undefined && <ErrorText error={error.value} />}</div>
        </Confirm>
      )}
    </>
  );
};

export default GuardrailsPage;
