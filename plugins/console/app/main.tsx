import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import { showAllCharacters } from './parts/visible-nodes.ts';
import { followLinks } from './router/router.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/theme.ts';

showAllCharacters();
applyTheme();
followLinks();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
