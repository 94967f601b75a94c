import type { ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { asApiError } from '../api/error.ts';
import { useLoaded } from '../api/load.ts';
import { may, session, workspace } from '../api/session.ts';
import { EmptyState, ErrorState, Loaded } from '../components/states.tsx';
import type { Page, PageProps } from '../router/page.ts';
import { place, toHref } from '../router/router.ts';
import { texts } from '../texts/shell.ts';

interface Found {
  readonly page: Page;
  readonly params: Readonly<Record<string, string>>;
}

/** Shows an error instead of an empty screen if a page throws. */
const ErrorBoundary = ({
  component: Component,
  params,
}: {
  readonly component: ComponentType<PageProps>;
  readonly params: Found['params'];
}) => {
  const [thrown, reset] = useErrorBoundary();
  if (thrown !== undefined) return <ErrorState error={asApiError(thrown)} retry={reset} />;
  return <Component params={params} query={place.value.query} />;
};

const LoadedPage = ({ page, params }: Found) => {
  const { state, reload } = useLoaded(() => page.load(), [page]);
  return (
    <Loaded state={state} retry={reload}>
      {(module) => (
        // The key resets the page when the workspace or the signed-in principal changes.
        <ErrorBoundary
          key={`${session.value?.principal.id} ${page.path} ${workspace.value}`}
          component={module.default}
          params={params}
        />
      )}
    </Loaded>
  );
};

/** Shows the page of the current address, or why it cannot be shown. */
export const Outlet = ({ found }: { readonly found: Found | undefined }) => {
  if (found === undefined)
    return (
      <EmptyState isPage title={texts.notFound.title} hint={texts.notFound.hint}>
        <a class="button" href={toHref('/')}>
          {texts.notFound.back}
        </a>
      </EmptyState>
    );
  const { scopes } = found.page;
  if (!may(...scopes)) {
    const all = [...new Set([...(session.value?.scopes ?? []), ...scopes])].join(',');
    return (
      <EmptyState
        isPage
        title={texts.forbidden.title}
        hint={texts.forbidden.hint(scopes.join(', '))}
        command={texts.forbidden.command(session.value?.principal.id ?? 'KEY_ID', all)}
      />
    );
  }
  return <LoadedPage key={found.page.path} {...found} />;
};
