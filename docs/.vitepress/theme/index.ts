import type { DefaultTheme as Config, Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { indexOptions, searchOptions } from '../search.ts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ siteData }) {
    const { search }: Config.Config = siteData.value.themeConfig;
    if (search?.provider === 'local')
      search.options = { ...search.options, miniSearch: { options: indexOptions, searchOptions } };
  },
};

export default theme;
