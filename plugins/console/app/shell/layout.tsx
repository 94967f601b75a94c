import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { may, session } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { EmptyState } from '../components/states.tsx';
import { pages } from '../pages/pages.ts';
import { findPage } from '../router/find-page.ts';
import { navigate, place } from '../router/router.ts';
import { texts } from '../texts/shell.ts';
import { Navigation } from './navigation.tsx';
import { Outlet } from './outlet.tsx';
import { Palette, usePaletteKey } from './palette.tsx';
import { isPaletteOpen } from './palette-state.ts';

/** The navigation on the left, and the page of the current address. */
export const Layout = () => {
  const isOpen = useSignal(false);
  const content = useRef<HTMLElement>(null);
  const { path } = place.value;
  usePaletteKey();
  const first = pages.find(({ navigation, scopes }) => navigation !== undefined && may(...scopes));
  useLayoutEffect(() => {
    if (path === '/' && first !== undefined) navigate(first.path, { replace: true });
  }, [path, session.value]);
  const found = findPage(pages, path);
  const shown = useRef(path);
  useEffect(() => {
    document.title = found === undefined ? texts.product : `${found.page.title} · ${texts.product}`;
    isOpen.value = false;
    if (shown.current === path) return;
    shown.current = path;
    // Moves the focus to the opened page, for keyboards and screen readers.
    content.current?.focus();
    window.scrollTo(0, 0);
  }, [path]);
  return (
    <div class="layout">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <header class="topbar">
        <button
          type="button"
          class="button ghost icon-button"
          aria-expanded={isOpen.value}
          aria-controls="navigation"
          aria-label={texts.menu}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <Icon name="menu" />
        </button>
        <span class="topbar-title">{texts.product}</span>
      </header>
      <Navigation isOpen={isOpen.value} current={found?.page.path} />
      <main id="content" class="content" tabIndex={-1} ref={content}>
        {path === '/' && first === undefined ? (
          <EmptyState isPage title={texts.nothing.title} hint={texts.nothing.hint} />
        ) : (
          path !== '/' && <Outlet found={found} />
        )}
      </main>
      {isPaletteOpen.value && <Palette />}
    </div>
  );
};
