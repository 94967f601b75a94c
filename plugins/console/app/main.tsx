import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import { revealHiddenCharacters } from './components/visible-nodes.ts';
import { pages } from './pages/pages.ts';
import { findPage } from './router/find-page.ts';
import { followLinks, place } from './router/router.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/theme.ts';

revealHiddenCharacters();
applyTheme();
followLinks();
// Loads the files of the page while the session is read. If loading fails, the page reports it later.
const { path } = place.peek();
const asked = path === '/' ? pages[0] : findPage(pages, path)?.page;
asked?.load().catch(() => undefined);
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
