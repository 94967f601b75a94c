import { defineConfig } from 'vitepress';
import { copyDownloads } from './downloads.ts';
import { writeForLanguageModels } from './language-models.ts';
import { localSearch } from './local-search.ts';
import { adaptMarkdown } from './markdown.ts';
import { nav, sidebar } from './navigation.ts';
import { toSitePath } from './pages.ts';
import { readablePages } from './readable-pages.ts';
import { accessibleSearch } from './search-dialog.ts';
import { securePage } from './security.ts';
import { toSlug } from './slug.ts';

const description =
  'Compiles JSON routing configs for language-model traffic into checked plans, and runs them in a gateway.';

export default defineConfig({
  lang: 'en',
  title: 'Gatewright',
  description,
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: toSitePath,
  // With their endings, pages are found by every file server.
  cleanUrls: false,
  // A script of its own in place of one in each page, which a security policy would have to allow by its hash.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // Otherwise addresses such as localhost:8000 became links.
    linkify: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: toSlug },
    config: adaptMarkdown,
  },
  transformHtml: (html, _file, { siteConfig }) => securePage(html, siteConfig.site.base),
  buildEnd: ({ outDir }) => {
    writeForLanguageModels(outDir, description);
    copyDownloads(outDir);
  },
  // The index of the search is one file, loaded when somebody searches.
  vite: { plugins: [readablePages, accessibleSearch], build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: localSearch,
  },
});
