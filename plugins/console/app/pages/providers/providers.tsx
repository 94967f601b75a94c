import './providers.css';
import { get } from '../../api/client.ts';
import { useLoaded } from '../../api/load.ts';
import { type List, usePagedList } from '../../api/pages.ts';
import { may, mayEdit } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { SavedItemDialogs } from '../../components/dialogs/saved-item-dialogs.tsx';
import { useOpenDialog } from '../../components/dialogs/use-open-dialog.ts';
import { EditScopeNotice } from '../../components/edit-scope-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge } from '../../components/small.tsx';
import { EmptyState } from '../../components/states.tsx';
import { showSaved } from '../../components/toast.tsx';
import { listPage } from '../../router/list-page.ts';
import { texts } from '../../texts/providers.ts';
import { EditPrices } from './edit-prices.tsx';
import { EditProvider } from './edit-provider.tsx';
import { LastRequests } from './last-requests.tsx';
import type { ProviderKind, SavedProvider } from './provider-form.ts';
import { TryCredential } from './try-credential.tsx';

type Opened =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'test' | 'remove'; readonly item: SavedProvider }
  | { readonly kind: 'prices'; readonly item: SavedProvider; readonly integration: string };

const ProvidersPage = () => {
  const list = usePagedList<SavedProvider>('/providers', listPage());
  const kinds = useLoaded((signal) => get<List<ProviderKind>>('/kinds/providers', { signal }));
  const { now, open, close } = useOpenDialog<Opened>();
  const saved = (slug: string, warnings: readonly string[]): void => {
    close();
    showSaved(texts.saved(slug), warnings);
    list.reload();
  };

  const columns = [
    {
      title: texts.columns.name,
      cell: ({ name, slug }: SavedProvider) => (
        <>
          <SafeText text={name} /> <code class="muted">@{slug}</code>
        </>
      ),
    },
    {
      title: texts.columns.service,
      cell: ({ provider, integration_id }: SavedProvider) => (
        <>
          <SafeText text={provider} /> {integration_id !== null && <Badge>{texts.integration}</Badge>}
        </>
      ),
    },
    {
      title: texts.columns.status,
      cell: ({ status }: SavedProvider) => (
        <Badge tone={status === 'active' ? 'good' : 'warning'}>{texts.states[status]}</Badge>
      ),
    },
    ...(may('logs.list')
      ? [{ title: texts.columns.health, cell: ({ slug }: SavedProvider) => <LastRequests slug={slug} /> }]
      : []),
    {
      title: texts.columns.actions,
      isTitleHidden: true,
      cell: (provider: SavedProvider) => {
        const { integration_id: integration } = provider;
        return (
          <span class="row">
            {may('providers.update') && (
              <Button
                size="small"
                label={texts.testOf(provider.name)}
                onClick={() => open({ kind: 'test', item: provider })}
              >
                {texts.test}
              </Button>
            )}
            {mayEdit('providers') && (
              <Button
                size="small"
                label={texts.editOf(provider.name)}
                onClick={() => open({ kind: 'edit', item: provider })}
              >
                {texts.edit}
              </Button>
            )}
            {may('integrations.read') && integration !== null && (
              <Button
                size="small"
                label={texts.prices.openOf(provider.name)}
                onClick={() => open({ kind: 'prices', item: provider, integration })}
              >
                {texts.prices.open}
              </Button>
            )}
            {may('providers.delete') && (
              <Button
                size="small"
                kind="ghost"
                label={texts.removeOf(provider.name)}
                onClick={() => open({ kind: 'remove', item: provider })}
              >
                {texts.remove}
              </Button>
            )}
          </span>
        );
      },
    },
  ];

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead}>
        {may('providers.create') && (
          <Button kind="primary" onClick={() => open({ kind: 'add' })}>
            {texts.add}
          </Button>
        )}
      </PageHeader>
      <EditScopeNotice resource="providers" />
      <PagedTable
        list={list}
        caption={texts.title}
        columns={columns}
        empty={<EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand} />}
      />
      <SavedItemDialogs now={now} path="/providers" kinds={kinds} texts={texts} onClose={close} onRemoved={list.reload}>
        {({ kinds: { data }, ...edited }) => <EditProvider kinds={data} {...edited} onClose={close} onSaved={saved} />}
      </SavedItemDialogs>
      {now?.kind === 'test' && <TryCredential provider={now.item} onClose={close} />}
      {now?.kind === 'prices' && <EditPrices name={now.item.name} integration={now.integration} onClose={close} />}
    </>
  );
};

export default ProvidersPage;
