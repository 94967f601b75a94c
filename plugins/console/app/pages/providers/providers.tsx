import { get } from '../../api/client.ts';
import { useLoaded } from '../../api/load.ts';
import { type List, usePagedList } from '../../api/pages.ts';
import { may } from '../../api/session.ts';
import { AwaitDialog } from '../../parts/await-dialog.tsx';
import { Button } from '../../parts/button.tsx';
import { useOpened } from '../../parts/opened.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { RemoveItem } from '../../parts/remove-item.tsx';
import { SafeText } from '../../parts/safe-text.tsx';
import { Badge } from '../../parts/small.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { showSaved, showToast } from '../../parts/toast.tsx';
import { texts } from '../../texts/providers.ts';
import { EditPrices } from './edit-prices.tsx';
import { EditProvider, type EditProviderProps } from './edit-provider.tsx';
import { LastRequests } from './last-requests.tsx';
import type { ProviderKind, SavedProvider } from './provider-form.ts';
import { TryCredential } from './try-credential.tsx';

type Opened =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'test' | 'remove'; readonly provider: SavedProvider }
  | { readonly kind: 'prices'; readonly provider: SavedProvider; readonly integration: string };

/** The list is without settings and the like. */
const EditSaved = ({
  provider: { slug, name },
  ...props
}: Omit<EditProviderProps, 'before'> & { readonly provider: SavedProvider }) => {
  const whole = useLoaded((signal) => get<SavedProvider>(`/providers/${slug}`, { signal }), [slug]);
  return (
    <AwaitDialog title={texts.editTitle(name)} loader={whole} onClose={props.onClose}>
      {(before) => <EditProvider {...props} before={before} />}
    </AwaitDialog>
  );
};

const ProvidersPage = () => {
  const list = usePagedList<SavedProvider>('/providers');
  const kinds = useLoaded((signal) => get<List<ProviderKind>>('/kinds/providers', { signal }));
  const { now, open, close } = useOpened<Opened>();
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
        <Badge tone={status === 'active' ? 'good' : 'warning'}>
          {status === 'active' ? texts.active : texts.exhausted}
        </Badge>
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
              <>
                <Button
                  size="small"
                  label={texts.testOf(provider.name)}
                  onClick={() => open({ kind: 'test', provider })}
                >
                  {texts.test}
                </Button>
                <Button
                  size="small"
                  label={texts.editOf(provider.name)}
                  onClick={() => open({ kind: 'edit', provider })}
                >
                  {texts.edit}
                </Button>
              </>
            )}
            {may('integrations.read') && integration !== null && (
              <Button
                size="small"
                label={texts.prices.openOf(provider.name)}
                onClick={() => open({ kind: 'prices', provider, integration })}
              >
                {texts.prices.open}
              </Button>
            )}
            {may('providers.delete') && (
              <Button
                size="small"
                kind="ghost"
                label={texts.removeOf(provider.name)}
                onClick={() => open({ kind: 'remove', provider })}
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
      <PagedTable
        list={list}
        caption={texts.title}
        columns={columns}
        empty={<EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand} />}
      />
      {(now?.kind === 'add' || now?.kind === 'edit') && (
        <AwaitDialog
          title={now.kind === 'add' ? texts.addTitle : texts.editTitle(now.provider.name)}
          loader={kinds}
          onClose={close}
        >
          {({ data }) =>
            now.kind === 'add' ? (
              <EditProvider kinds={data} onClose={close} onSaved={saved} />
            ) : (
              <EditSaved provider={now.provider} kinds={data} onClose={close} onSaved={saved} />
            )
          }
        </AwaitDialog>
      )}
      {now?.kind === 'test' && <TryCredential provider={now.provider} onClose={close} />}
      {now?.kind === 'prices' && <EditPrices name={now.provider.name} integration={now.integration} onClose={close} />}
      {now?.kind === 'remove' && (
        <RemoveItem
          path={`/providers/${now.provider.slug}`}
          title={texts.removeTitle(now.provider.name)}
          action={texts.remove}
          text={texts.removeText}
          onClose={close}
          onRemoved={() => {
            close();
            showToast(texts.removed(now.provider.name));
            list.reload();
          }}
        />
      )}
    </>
  );
};

export default ProvidersPage;
