import './guardrails.css';
import { get } from '../../api/client.ts';
import { useLoaded } from '../../api/load.ts';
import { type List, usePagedList } from '../../api/pages.ts';
import { may, mayEdit } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { SavedItemDialogs } from '../../components/dialogs/saved-item-dialogs.tsx';
import { useOpenDialog } from '../../components/dialogs/use-open-dialog.ts';
import { EditScopeNotice } from '../../components/edit-scope-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { showToast } from '../../components/toast.tsx';
import { listPage } from '../../router/list-page.ts';
import { texts } from '../../texts/guardrails.ts';
import type { CheckKind } from './check-fields.tsx';
import { EditGuardrail, type SavedGuardrail } from './edit-guardrail.tsx';
import { TryGuardrail } from './try-guardrail.tsx';

type Opened = { readonly kind: 'add' } | { readonly kind: 'edit' | 'try' | 'remove'; readonly item: SavedGuardrail };

const GuardrailsPage = () => {
  const list = usePagedList<SavedGuardrail>('/guardrails', listPage());
  const kinds = useLoaded((signal) => get<List<CheckKind>>('/kinds/checks', { signal }));
  const { now, open, close } = useOpenDialog<Opened>();
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
            <Button
              size="small"
              label={texts.tryOf(guardrail.name)}
              onClick={() => open({ kind: 'try', item: guardrail })}
            >
              {texts.try}
            </Button>
          )}
          {mayEdit('guardrails') && (
            <Button
              size="small"
              label={texts.editOf(guardrail.name)}
              onClick={() => open({ kind: 'edit', item: guardrail })}
            >
              {texts.edit}
            </Button>
          )}
          {may('guardrails.delete') && (
            <Button
              size="small"
              kind="ghost"
              label={texts.removeOf(guardrail.name)}
              onClick={() => open({ kind: 'remove', item: guardrail })}
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
      <EditScopeNotice resource="guardrails" />
      <PagedTable
        list={list}
        caption={texts.title}
        columns={columns}
        empty={<EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand} />}
      />
      <SavedItemDialogs
        now={now}
        path="/guardrails"
        kinds={kinds}
        texts={texts}
        onClose={close}
        onRemoved={list.reload}
      >
        {({ kinds: { data }, ...edited }) => <EditGuardrail kinds={data} {...edited} onClose={close} onSaved={saved} />}
      </SavedItemDialogs>
      {now?.kind === 'try' && (
        <Dialog
          title={texts.tryTitle(now.item.name)}
          onClose={close}
          size="wide"
          actions={<Button onClick={close}>{texts.close}</Button>}
        >
          <TryGuardrail toBody={() => ({ guardrail: now.item.slug })} />
        </Dialog>
      )}
    </>
  );
};

export default GuardrailsPage;
