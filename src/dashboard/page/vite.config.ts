/** Builds the page into the folder that the service serves, and serves it anew with each change in front of a running service. */
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/dashboard/',
  build: {
    outDir: '../../../dist/src/dashboard/page',
    emptyOutDir: true,
    // The Content-Security-Policy allows files of the service alone: nothing inline, no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Of the packages that the scripts hold: the page is a copy of them.
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '/dashboard/api': 'http://127.0.0.1:3000' } },
});
