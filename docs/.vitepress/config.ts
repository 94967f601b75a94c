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
  // Keeps the `.html` endings, with which every file server finds the pages.
  cleanUrls: false,
  // Writes the page metadata to a separate script instead of inline in each page, where the security policy would need its hash.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // Prevents addresses such as localhost:8000 from becoming links.
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
  // The search index is a single large file, loaded on the first search.
  vite: { plugins: [readablePages, accessibleSearch], build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: localSearch,
  },
});
